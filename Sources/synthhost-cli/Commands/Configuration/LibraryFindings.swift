import SpeechScript
import SynthAudio

/// The libraries of the system that `speak` can do without, and what it cannot do then.
enum LibraryFindings {
    static var all: [DoctorFinding] { [soundFiles, loudness, markdown] }

    private static var soundFiles: DoctorFinding {
        do throws(AudioError) {
            let formats = try SoundFileFormat.written().map(\.title)
            return DoctorFinding(.good, "sound files", "\(Wording.all(formats)) can be written")
        } catch {
            return DoctorFinding(.note, "sound files", error.message, remedy: error.remedy)
        }
    }

    private static var loudness: DoctorFinding {
        do throws(LoudnessError) {
            try LoudnessMeter.loadLibrary()
            return DoctorFinding(.good, "loudness", "new voices are measured by \(LoudnessMeter.library)")
        } catch {
            return missing("loudness", LoudnessMeter.library, "new voices may be louder or softer than others")
        }
    }

    private static var markdown: DoctorFinding {
        do throws(MarkdownError) {
            try MarkdownScript.loadLibrary()
            return DoctorFinding(.good, "Markdown", "it is read by \(MarkdownScript.library)")
        } catch {
            let name = if case .libraryNotLoaded(let name, _) = error { name } else { MarkdownScript.library }
            return missing("Markdown", name, "Markdown cannot be read")
        }
    }

    private static func missing(_ subject: String, _ library: String, _ consequence: String) -> DoctorFinding {
        DoctorFinding(
            .note, subject, "\(library) is missing, so \(consequence)", remedy: MissingLibrary(name: library).remedy)
    }
}
