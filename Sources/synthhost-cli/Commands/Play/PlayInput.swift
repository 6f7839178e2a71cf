import Glibc
import SynthAudio
import SynthHost
import System

/// One of the files of `play`, and what its name says of it.
struct PlayInput {
    enum Content {
        case sound(ClipFile)
        case text(@Sendable () throws(SpeechFailure) -> any TextSource)
    }

    /// As it was typed.
    let name: String
    let content: Content
    /// What the sound must not overwrite; nil = none, or a pipe.
    let file: RegularFile?

    var isText: Bool { if case .text = content { true } else { false } }

    /// Looks at the file, so that what is wrong with it is said before anything sounds.
    ///
    /// - Parameter name: a path, or - for standard input.
    init(_ name: String, _ context: CommandContext) throws(CommandFailure) {
        self.name = name
        if name == "-" {
            let input = fcntl(context.input, F_DUPFD_CLOEXEC, 0)
            guard input >= 0 else { throw CommandFailure(SpeechFailure.input("Standard input", Errno.last)) }
            let descriptor = Descriptor(owning: input)
            file = RegularFile(descriptor: input)
            content = .text({ () throws(SpeechFailure) in try TextReader(descriptor, name: "Standard input") })
            return
        }
        file = RegularFile(path: name)
        if ClipEnding.isOne(name) {
            let clip = ClipFile(path: name)
            do throws(ClipError) {
                _ = try ClipReader(clip, as: AudioFormat(sampleRate: 48_000, channels: 2))
            } catch {
                throw CommandFailure(SpeechFailure.clip(name, .file(error)))
            }
            content = .sound(clip)
            return
        }
        do throws(SpeechFailure) {
            let reader = try TextReader(path: name)
            if file == nil {
                // What comes from a pipe cannot be read again.
                content = .text({ reader })
            } else {
                content = .text({ () throws(SpeechFailure) in try TextReader(path: name) })
            }
        } catch {
            guard case .input = error else { throw CommandFailure(error) }
            throw CommandFailure(.inputMissing, error.message, "Check the name of the file and its rights.")
        }
    }
}
