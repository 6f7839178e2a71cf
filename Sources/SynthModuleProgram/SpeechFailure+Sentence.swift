import Glibc
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthScript

extension SpeechFailure {
    /// What happened, in one sentence.
    var sentence: String {
        switch self {
        case .engine(let failure): failure.sentence
        case .voiceFile(let flaw): "The engine cannot use the file \(flaw.path)."
        case .voice(let error): error.sentence
        case .text: "The text is not UTF-8."
        case .script(let error):
            "The text is no SSML at line \(error.place.line), column \(error.place.column)."
        case .channel(_, let clip), .clip(let clip, _): "The clip \"\(clip)\" cannot be played here."
        case .lexicon(let path, _): "The lexicon \(path) cannot be used; `synthhost doctor` says why."
        case .libraryNotLoaded(let library, _): "The library \(library) cannot be loaded."
        case .noThread: "The system has no thread left to speak on."
        case .overloaded: "Too many long texts wait to be spoken."
        case .installation(let program): program.sentence
        case .host(let error): error.description
        case .registry: "A registry of voices cannot be used; `synthhost doctor` says why."
        case .textSource, .input: "The text cannot be read."
        case .audio, .timings, .timingsEndingUnknown: "The sound cannot be made."
        case .alreadyRead, .closed: "The voice was released while it was needed."
        }
    }
}

extension VoiceError {
    fileprivate var sentence: String {
        switch self {
        case .noEngine, .onlyExamples: "There is no engine that speaks a language."
        case .unknownVoice(let name, _), .forgottenVoice(let name, _, _): "There is no voice \"\(name)\"."
        case .ambiguousVoice(let name, let candidates):
            "The voice \"\(name)\" may be any of these: \(candidates.joined(separator: ", "))."
        case .unknownLanguage(let language, _, _): "There is no voice for the language \"\(language)\"."
        case .notDownloaded(let title, _, _, _): "The voice \(title) is not downloaded."
        case .damaged(let title, _, let why): "The voice \(title) is damaged: \(why)."
        case .missingEngine(let title, let engine): "The voice \(title) needs the engine \(engine), which is not here."
        case .unsupportedVoice(let title, let why): "The voice \(title) cannot be used: \(why)."
        default: "The voice cannot be used."
        }
    }
}

extension EngineFailure {
    /// What happened, in one sentence, and where more stands.
    var sentence: String { what + (log.map { " Its log: \($0)" } ?? "") }

    private var what: String {
        switch reason {
        case .refused: "The engine \(engine) cannot be used; `synthhost doctor` says why."
        case .notStarted: "The process for the engine \(engine) did not start."
        case .crashed(let signal, _): "The engine \(engine) crashed: \(String(cString: strsignal(signal)))."
        case .exited(let code, _): "The engine \(engine) ended with code \(code)."
        case .hung(let limit, _): "The engine \(engine) gave no answer in \(limit)."
        case .violatedProtocol: "The engine \(engine) damaged its process."
        case .reported(let error):
            "The engine \(engine) cannot speak this: " + (error.message.isEmpty ? "it gave no reason." : error.message)
        case .unspeakableText: "The engine \(engine) takes no text that is so long, or holds a NUL."
        }
    }
}
