import CommandParts
import CommandSyntax
import Glibc
import Sentences
import SynthAudio
import SynthHost
import System

/// One of the files of `play`, and what its name says of it.
struct PlayInput {
    enum Content {
        case sound(ClipFile)
        /// A text, and what names of clips in it may mean.
        case script(SpokenScript, ClipScope)
    }

    /// As it was typed.
    let name: String
    let content: Content
    /// What the sound must not overwrite; nil = none, or a pipe.
    let file: RegularFile?

    /// Whether it asks for phonemes without saying what else could be spoken.
    var hasBarePhonemes: Bool { if case .script(let script, _) = content { script.hasBarePhonemes } else { false } }

    var isText: Bool { if case .script = content { true } else { false } }

    /// Reads the file, so that what is wrong with it is said before anything sounds.
    ///
    /// - Parameter name: a path, or - for standard input.
    init(_ name: String, _ context: CommandContext) throws(CommandFailure) {
        self.name = name
        if name == "-" {
            let input = fcntl(context.input, F_DUPFD_CLOEXEC, 0)
            guard input >= 0 else { throw CommandFailure(SpeechFailure.input("Standard input", Errno.last)) }
            file = RegularFile(descriptor: input)
            content = try Self.script(Descriptor(owning: input), name: "Standard input", .tokens, .names)
            return
        }
        file = RegularFile(path: name)
        if ClipEnding.isOne(name) {
            content = .sound(try Self.sound(name))
            return
        }
        let input: Descriptor
        do {
            input = try Descriptor.open(name, O_RDONLY)
        } catch {
            let failure = SpeechFailure.input(name, error)
            throw CommandFailure(.inputMissing, failure.message, "Check the name of the file and its rights.")
        }
        content = try Self.script(input, name: name, Self.form(of: name), .below(LinkTarget.folder(of: name)))
    }

    /// Every text may hold tokens, but for SSML.
    private static func form(of path: String) -> SpeechForm {
        switch SpeechForm(path: path) {
        case .ssml?: .ssml
        case .markdown?: .markdownWithTokens
        default: path.lowercased().hasSuffix(".xml") ? .ssml : .tokens
        }
    }

    private static func script(
        _ input: borrowing Descriptor, name: String, _ form: SpeechForm, _ scope: ClipScope
    ) throws(CommandFailure) -> Content {
        do {
            return .script(try SpokenScript(try ScriptFile.read(input, name: name), as: form), scope)
        } catch {
            guard case .input = error else { throw CommandFailure(error) }
            throw CommandFailure(.inputMissing, error.message, "Check the name of the file and its rights.")
        }
    }

    private static func sound(_ path: String) throws(CommandFailure) -> ClipFile {
        let clip = ClipFile(path: path)
        do {
            _ = try ClipReader(clip, as: AudioFormat(sampleRate: 48_000, channels: 2))
        } catch {
            throw CommandFailure(SpeechFailure.clip(path, .file(error)))
        }
        return clip
    }
}
