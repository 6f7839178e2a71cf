import Glibc
import SynthAudio
import SynthEngineProcesses
package import SynthHost
import SynthModelStore
import SynthSystem
import SynthTerminal

extension SpeechFailure {
    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .engine(let failure): failure.message
        case .voiceFile(let flaw): flaw.message
        case .voice(let error): error.message
        case .text(let error): error.message
        case .script(let error): error.message
        case .channel(let channel, let clip):
            "The clip \(Wording.quoted(clip)) is to sound on the channel \(Wording.quoted(channel)), and `speak` has none."
        case .lexicon(let path, let error): error.message(path)
        case .libraryNotLoaded(let library, let reason):
            "\(library), which reads Markdown, cannot be loaded\(reason.map { ": \($0)" } ?? ".")"
        case .textSource(let error): "The text ended with an error: \(error)"
        case .input(let name, let reason): "\(name) cannot be read: \(reason)."
        case .noThread: "The system has no thread left to speak on."
        case .overloaded: "Too many long texts wait to be spoken."
        case .audio(let error): error.message
        case .timings(.brokenPipe): "The program that read the times has ended."
        case .timings(let error): error.message
        case .timingsEndingUnknown(let path): "The ending of \"\(path)\" is no format of times that synthhost writes."
        case .clip(_, let failure): failure.message
        case .installation(let program): program.message
        // Commands find their voices themselves.
        case .host(let error): "The voice cannot speak: \(error)."
        case .registry(let error): error.message
        case .alreadyRead: "The text was spoken already."
        case .closed: "The voice was released while it was needed."
        }
    }

    /// What to type next, in one sentence; empty if there is nothing to do.
    package var remedy: String {
        switch self {
        case .engine(let failure): failure.remedy
        case .voiceFile(let flaw): flaw.remedy
        case .voice(let error): error.remedy
        case .text(let error): error.remedy
        case .script(let error): error.remedy
        case .channel: "Type `synthhost play FILE`, which has channels, or leave the channel away."
        case .lexicon(let path, _): "Correct that line of \(Wording.quoted(path)), or take it out."
        case .libraryNotLoaded(let library, _): MissingLibrary(name: library).remedy
        case .textSource, .host, .alreadyRead, .closed: ""
        case .input: "Name a text file with -f, or pass the text itself."
        case .overloaded: "Send it again in a moment, or in shorter parts."
        case .noThread: "End other programs, or raise the limit with `ulimit -u`, then run the command again."
        case .audio(let error): error.remedy
        case .timings(let error): Self.timingsRemedy(error)
        case .timingsEndingUnknown:
            "End the name in \(Wording.either(TimingsFormat.allCases.map { ".\($0.rawValue)" })), "
                + "for instance `--timings speech.srt`."
        case .clip(_, let failure): failure.remedy
        case .installation(let program): program.remedy
        case .registry(let error): error.remedy
        }
    }

    private static func timingsRemedy(_ error: AudioError) -> String {
        switch error {
        case .brokenPipe: "Keep the reading program running until the speech ends."
        case .outputNotCreated(let path, ENOENT) where !path.isEmpty:
            "Create it with `mkdir -p \(Wording.quoted(LinkTarget.folder(of: path)))`, or choose another file with "
                + "`--timings`."
        case .outputLinkLeadsNowhere(_, _, let folder):
            "Create the folder with `mkdir -p \(Wording.quoted(folder))`, or choose another file with `--timings`."
        case .outputNotWritten(_, ENOSPC), .outputNotWritten(_, EDQUOT):
            "Free some space, or choose a file on another disk with `--timings`."
        case .noDescriptor: error.remedy
        default: "Choose another file with `--timings`."
        }
    }
}

/// A file of a voice that is in the store.
extension VoiceFileFlaw {
    /// What happened, in one sentence.
    package var message: String { "\(path): \(error.words)" }

    /// What to type next, in one sentence.
    package var remedy: String {
        let word = ShellWord.quoted(voice)
        return isUsersOwn
            ? "Get a whole one of the right kind, and add it again with: synthhost models add PATH --id \(word)"
            : "To check it and fetch it again, type: synthhost models verify \(word) --repair"
    }
}

extension SpeechNotice {
    /// What was done otherwise than the text asks.
    package var sentence: String {
        switch self {
        case .phonemesLeftOut(let engine, nil): "The engine \(engine) left out the phonemes of more words."
        case .phonemesLeftOut(let engine, let phonemes?): phonemes.sentence(engine)
        case .voiceReplaced(let replacement): replacement.note
        case .engineRests(let engine, let time):
            "The engine \(engine) fails again and again: other voices speak for its own for \(Readable.duration(time))."
        @unknown default: "\(self)"
        }
    }
}

extension SpeechNotice.Phonemes {
    /// What was spoken instead, and what to change.
    fileprivate func sentence(_ engine: String) -> String {
        let cause = reason ?? "The engine \(engine) takes no phonemes."
        let place = lexicon.map { $0.isEmpty ? " (line \(line) of the lexicon)" : " (line \(line) of \($0))" } ?? ""
        guard let word else { return "\(cause) [[\(ipa)]]\(place) was left out: write a word instead." }
        return "\(cause) \"\(word)\"\(place) was spoken as it is written, not as /\(ipa)/."
    }
}

extension VoiceReplacement {
    /// What happened, and who speaks on.
    package var sentence: String { "\(failure.message) \(speaker)." }

    /// The same on one line, for a program that goes on.
    package var note: String {
        guard case .engine(let failure) = failure, let log = failure.log else { return sentence }
        return "\(sentence) Its log: \(log)"
    }

    private var speaker: String {
        let other = "\(other.title) of \(other.engine)"
        return voice.map { "\(other) speaks on for \($0.title)" } ?? "\(other) speaks instead"
    }
}
