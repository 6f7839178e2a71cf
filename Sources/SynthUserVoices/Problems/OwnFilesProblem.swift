package import SynthCatalogue
package import SynthEngineProcesses
import SynthEngineWire
import SynthSpeech
package import SynthSystem

/// Why the user's files make no voice.
package enum OwnFilesProblem: ErrorCause {
    case unknownLanguage(path: String)
    /// The files are no model with the files of its voices.
    case noBundle(count: Int)
    /// A name or an id was given for several voices.
    case namesForSeveral(count: Int)
    case sameName(String)
    case noName
    case severalEngines([String])
    /// The engine that was named has no files.
    case withoutFiles(engine: String)
    /// None of these engines can use them.
    case fitsNone(engines: [String])
    /// The engine needs a file for each of these roles. Some are missing, and would be found by the names here; `others` are
    /// files that may be meant. The command adds the files then; nil = an archive has to be unpacked first.
    case needs(
        engine: String, roles: [String], missing: [(role: String, path: String)], others: [String],
        next: SpeechError.Remedy.Addition?)
    /// A file is missing beside the one that was named.
    case missing(name: String, beside: String, engine: String)
    /// A model without a voice. The command adds it with the voices beside it, or with those from elsewhere.
    case noVoice(
        model: String, engine: String, role: String, from: EngineHints.Origin?, next: SpeechError.Remedy.Addition)
    /// Voices without their model, likewise.
    case noModel(
        voices: String, engine: String, role: String, from: EngineHints.Origin?, next: SpeechError.Remedy.Addition)
    /// Several models, each of which makes voices by itself; what to type for each.
    case severalModels(path: String, choices: [SpeechError.Remedy.Addition])
    /// Voices that their engine cannot speak; what would add them in another language.
    case unsupported(LeftOutVoices, next: SpeechError.Remedy.Addition)
    /// A model that the registry has, with the voices that use it; what to type for the first.
    case modelOnly(path: String, Model, voices: [Voice], word: String)
    /// Several of the files could be the one of this role.
    case severalFiles(role: String, [String])
    /// A recognizer that tried its model did not load it, or could not listen.
    case deaf(name: String, EngineFailure)
    /// A voice that was tried could not speak.
    case silent(title: String, SpeechError)
}

extension OwnFilesProblem {
    package var code: SpeechError.Code {
        switch self {
        case .needs, .missing, .noVoice, .noModel: .ownFilesIncomplete
        case .unsupported: .voiceUnsupported
        case .deaf(_, let failure):
            // A recognizer that refuses a model refuses its files.
            if case .reported = failure.reason { .voiceNotAdded } else { RecognizerFailure(failure).code }
        case .silent(_, let error):
            switch error.code {
            // The test text is trivial, so a refused request means that the voice is unusable.
            case .engineRefused, .engineFailed, .voiceFileInvalid: .voiceNotAdded
            case let code: code
            }
        default: .ownFilesUnclear
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .unknownLanguage(let path), .severalModels(let path, _): .init(path: path)
        case .sameName(let name): .init(name: name)
        case .severalEngines(let engines), .fitsNone(let engines): .init(candidates: engines)
        case .withoutFiles(let engine): .init(engine: engine)
        case .needs(let engine, let roles, _, _, _): .init(engine: engine, candidates: roles)
        case .missing(let name, let path, let engine): .init(path: path, name: name, engine: engine)
        case .noVoice(let path, let engine, let role, _, _), .noModel(let path, let engine, let role, _, _):
            .init(path: path, name: role, engine: engine)
        case .unsupported(let left, _): .init(reason: left.reason, candidates: left.titles)
        case .modelOnly(let path, let model, _, _): .init(path: path, engine: model.engine)
        case .severalFiles(let role, let paths): .init(name: role, candidates: paths)
        case .deaf(let name, let failure):
            {
                var facts = failure.facts
                facts.model = name
                return facts
            }()
        case .silent(let title, let error):
            {
                var facts = error.facts
                facts.voice = title
                return facts
            }()
        case .noBundle, .namesForSeveral, .noName: .init()
        }
    }

    package var message: String {
        switch self {
        case .unknownLanguage(let path): "The language of \(path) cannot be told from its files."
        case .noBundle(let count): "The \(count) files make no voices of one model."
        case .namesForSeveral(let count): "A name and an id are for one voice, and these are \(count)."
        case .sameName(let name): "Two of the files are called \(name)."
        case .noName: "A voice needs a name."
        case .severalEngines(let engines): "Several engines could speak it: \(engines.joined(separator: ", "))."
        case .withoutFiles(let engine): "The engine \(engine) takes no files of one's own."
        case .fitsNone(let engines) where engines.isEmpty: "No engine here uses files."
        case .fitsNone(let engines): "It fits none of the engines \(engines.joined(separator: ", "))."
        case .needs(let engine, let roles, _, _, _):
            "The engine \(engine) needs a file for each of: \(roles.joined(separator: ", "))."
        case .missing(let name, let path, let engine):
            "\(name) is missing beside \(path): the engine \(engine) needs both."
        case .noVoice(let model, let engine, let role, _, _):
            "\(model) is a model of the engine \(engine) without voices: the file of a voice (\(role)), or of several, is "
                + "missing."
        case .noModel(let voices, let engine, let role, _, _):
            "\(voices) has voices of the engine \(engine), and the file of their \(role) is missing."
        case .severalModels(let path, let choices):
            "\(path) holds \(choices.count > 1 ? "\(choices.count) models" : "several models"), and one is added at a time."
        case .unsupported(let left, _):
            "\(left.words) cannot be added: \(left.reason)."
        case .modelOnly(let path, let model, let voices, _):
            "\(path) is the model of \(voices.count == 1 ? "a voice" : "\(voices.count) voices") of "
                + "\(model.engine)\(Self.example(voices)), and no voice by itself."
        case .severalFiles(let role, let paths):
            "Several of the files could be the \(role): \(paths.map(Self.name(of:)).joined(separator: ", "))."
        case .deaf(let name, let failure): "\(name) was not added. \(RecognizerFailure(failure).message)"
        case .silent(let title, let error): Self.message(error, of: title)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .unknownLanguage: .nameLanguage
        case .noBundle: .nameVoiceFiles
        case .namesForSeveral: .omitNames
        case .sameName: .renameFile
        case .noName: .nameVoice
        case .severalEngines: .nameEngine
        case .withoutFiles: .chooseOtherEngine
        case .fitsNone: .nameEngineOfFiles
        case .needs(_, _, let missing, let others, let next?)
        where missing.count == 1 && others.count == 1 && missing[0].path != others[0]:
            .renameAndAdd(others[0], to: missing[0].path, role: missing[0].role, next)
        case .needs(_, _, let missing, _, let next?):
            .completeAndAdd(missing.map { "\($0.role) at \($0.path)" }, next)
        case .needs(_, _, let missing, _, nil): .unpackAndComplete(missing.map(\.role))
        case .missing: .putFileBeside
        case .noVoice(_, _, _, let origin, let next), .noModel(_, _, _, let origin, let next):
            .addTogether(next, with: origin?.file, from: origin?.from)
        case .severalModels(_, let choices): .addOne(of: choices)
        case .unsupported(_, let next): .addAsEnglish(next)
        case .modelOnly(_, let model, _, let word): .addVoicesOrDownload(word, precision: model.precision)
        case .severalFiles: .nameFiles
        case .deaf: .replaceFiles
        case .silent(_, let error):
            switch error.cause {
            case let failure as EngineFailure:
                if case .reported(let reported) = failure.reason, reported.kind == .failed {
                    nil
                } else {
                    .replaceVoiceFiles(log: failure.log)
                }
            default: error.remedy
            }
        }
    }

    /// Why the engine cannot speak a voice that is being added.
    private static func message(_ error: SpeechError, of title: String) -> String {
        switch error.cause {
        case let flaw as VoiceFileFlaw: return "\(name(of: flaw.path)): \(flaw.error.words)"
        case let failure as EngineFailure:
            if case .reported(let reported) = failure.reason, reported.kind == .failed { return reported.words }
            return "\(title) was not added, because its engine cannot speak it. \(failure.message)"
        default: return error.message
        }
    }

    private static func example(_ voices: [Voice]) -> String {
        voices.first.map { ", \(voices.count == 1 ? "" : "such as ")\($0.title)" } ?? ""
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// Voices that were not added, all for one reason.
package struct LeftOutVoices: Sendable {
    package var titles: [String]
    /// A sentence without a full stop.
    package let reason: String
}

extension LeftOutVoices {
    /// "Alpha (Japanese) and 4 more".
    package var words: String {
        let more = titles.count - 1
        return (titles.first ?? "") + (more > 0 ? " and \(more) more" : "")
    }
}
