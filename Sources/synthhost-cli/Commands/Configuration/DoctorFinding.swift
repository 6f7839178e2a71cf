import SynthAudio
import SynthCatalogue
import SynthHost
import SynthScript
import SynthCommandSyntax
import SynthSystem

/// A finding of `doctor`.
struct DoctorFinding: Encodable {
    enum State: String, Encodable {
        case good
        /// A finding that does not affect `speak`.
        case note
        case bad
    }
    let state: State
    let subject: String
    let detail: String
    let remedy: String?

    init(_ state: State, _ subject: String, _ detail: String, remedy: String? = nil) {
        self.state = state
        self.subject = subject
        self.detail = detail
        self.remedy = remedy
    }

    init(_ state: State, _ subject: String, _ failure: CommandFailure) {
        self.init(state, subject, failure.message ?? "", remedy: failure.remedy)
    }

    init(_ state: State, _ subject: String, _ cause: some ErrorCause) {
        self.init(state, subject, cause.message, remedy: cause.remedy?.command)
    }

    init(_ confinement: ConfinementState) {
        self.init(
            confinement.isWhole ? .good : .note, "confinement", confinement.message, remedy: confinement.remedy)
    }

    /// The finding as lines of text, followed by the remedy if there is one.
    var lines: [String] {
        let mark =
            switch state {
            case .good: "ok  "
            case .note: "note"
            case .bad: "BAD "
            }
        return ["\(mark)  \(subject): \(detail)"] + (remedy.map { ["      \($0)"] } ?? [])
    }
}

extension DoctorFinding {
    /// Returns findings about unknown voice names in the configuration. The result is empty if all names are known, or
    /// if a registry that may contain the names cannot be read.
    static func strayNames(_ configuration: Configuration, _ inventory: HostSnapshot) -> [DoctorFinding] {
        let profiles = configuration.profiles.keys.sorted()
        let fallback = configuration.fallback ?? []
        if profiles.isEmpty, configuration.favorites.isEmpty, configuration.hidden.isEmpty, fallback.isEmpty {
            return []
        }
        guard let voices = try? VoiceLibrary(inventory).everyVoice else { return [] }
        func strays(_ names: [String]) -> [String] { VoiceNames.strays(names, among: voices) }
        let rest = fallback.filter { !strays(fallback).contains($0) }
        let key = ConfigurationKey.fallback
        let change =
            rest.isEmpty ? "config unset \(key)" : "config set \(key) \(ShellWord.quoted(rest.joined(separator: ", ")))"
        var found = strays(profiles).map { name -> (String, String) in
            let key = ShellWord.quoted("profiles.\(name)")
            return ("the profile \"\(name)\" belongs to an unknown voice", "config unset \(key)")
        }
        found += strays(configuration.favorites).map { name in
            ("the favorite voice \"\(name)\" is unknown", "voices unfavorite \(ShellWord.quoted(name))")
        }
        found += strays(configuration.hidden).map { name in
            ("the hidden voice \"\(name)\" is unknown", "voices unhide \(ShellWord.quoted(name))")
        }
        found += strays(fallback).map { ("the fallback voice \"\($0)\" is unknown", change) }
        return found.map { what, removal in
            DoctorFinding(.note, "configuration", what, remedy: "To remove it, type: synthhost \(removal)")
        }
    }

    /// Returns findings about clips whose files are missing.
    static func missingClips(_ configuration: Configuration, _ file: ConfigurationFile) -> [DoctorFinding] {
        let clips = ClipLibrary(configuration, from: file)
        return configuration.clips.keys.sorted().compactMap { name in
            guard let path = try? clips.file(named: name).path, RegularFile(path: path) == nil else { return nil }
            return DoctorFinding(
                .note, "configuration", "the file for the clip \"\(name)\" is missing: \(path)",
                remedy: "Restore the file, or type: synthhost config unset \(ShellWord.quoted("clips.\(name)"))")
        }
    }
}

/// Findings about the optional system libraries that `speak` uses and the features that depend on them.
enum LibraryFindings {
    static var all: [DoctorFinding] { [soundFiles, loudness, markdown] }

    private static var soundFiles: DoctorFinding {
        do {
            let formats = try SoundFileFormat.written().map(\.title)
            return DoctorFinding(.good, "audio files", "\(Wording.all(formats)) can be written")
        } catch {
            return DoctorFinding(.note, "audio files", error)
        }
    }

    private static var loudness: DoctorFinding {
        do {
            try LoudnessMeter.loadLibrary()
            return DoctorFinding(.good, "loudness", "\(LoudnessMeter.library) measures the loudness of new voices")
        } catch {
            return missing("loudness", LoudnessMeter.library, "new voices may be louder or softer than others")
        }
    }

    private static var markdown: DoctorFinding {
        do {
            let library = try MarkdownScript.loadLibrary()
            return DoctorFinding(.good, "Markdown", "\(library) reads Markdown")
        } catch {
            let name = if case .libraryNotLoaded(let name, _) = error.reason { name } else { MarkdownScript.library }
            return missing("Markdown", name, "Markdown cannot be read")
        }
    }

    /// Checks the program that decodes recordings in formats that libsndfile does not support.
    static func recordings(_ media: MediaProgram) -> DoctorFinding {
        let kinds = "M4A, MP4, WebM, WMA, AMR and videos"
        guard let program = media.decoder else {
            return DoctorFinding(
                .note, "recordings", "ffmpeg is missing, so \(kinds) cannot be transcribed",
                remedy: "Type: sudo apt install ffmpeg")
        }
        return DoctorFinding(.good, "recordings", "\(program) reads \(kinds)")
    }

    private static func missing(_ subject: String, _ library: String, _ consequence: String) -> DoctorFinding {
        DoctorFinding(
            .note, subject, "\(library) is missing, so \(consequence)", remedy: MissingLibrary(name: library).remedy)
    }
}
