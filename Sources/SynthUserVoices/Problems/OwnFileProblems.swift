import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthSpeech
package import SynthSystem

extension SpeechError {
    private static func unclear(_ message: String, _ facts: Facts = Facts(), remedy: Remedy) -> SpeechError {
        SpeechError(.ownFilesUnclear, message, facts, remedy: remedy)
    }

    static func languageUnknown(path: String) -> SpeechError {
        unclear(
            "Cannot determine the language of \(path).", Facts(path: path), remedy: .nameLanguage)
    }

    /// The files do not form a model with its voices.
    static func noBundle(count: Int) -> SpeechError {
        unclear(
            "The \(count) files are not voices for the same model.", Facts(count: count), remedy: .nameVoiceFiles)
    }

    static func namesForSeveral(count: Int) -> SpeechError {
        unclear(
            "A name and an ID can only be set for a single voice, but there are \(count) voices.", Facts(count: count),
            remedy: .omitNames)
    }

    static func sameName(_ name: String) -> SpeechError {
        unclear("Two of the files are called \(name).", Facts(name: name), remedy: .renameFile)
    }

    static let noName = unclear("A voice needs a name.", remedy: .nameVoice)

    package static func severalEngines(_ engines: [String]) -> SpeechError {
        unclear(
            "Several engines could use these files: \(engines.joined(separator: ", ")).", Facts(candidates: engines),
            remedy: .nameEngine)
    }

    static func withoutFiles(engine: String) -> SpeechError {
        unclear(
            "The engine \(engine) does not support custom files.", Facts(engine: engine), remedy: .chooseOtherEngine)
    }

    static func fitsNone(engines: [String]) -> SpeechError {
        unclear(
            engines.isEmpty
                ? "No installed engine uses voice files."
                : "The files do not match any of these engines: \(engines.joined(separator: ", ")).",
            Facts(candidates: engines), remedy: .nameEngineOfFiles)
    }

    /// The files contain several models, each of which forms a voice. Each of the `choices` is a command that adds one
    /// model.
    static func severalModels(path: String, choices: [Remedy.Addition]) -> SpeechError {
        unclear(
            "\(path) contains \(choices.count > 1 ? "\(choices.count) models" : "several models"), but only one can be added at a time.",
            Facts(path: path), remedy: .addOne(of: choices))
    }

    /// The file is a model in the registry that several voices share. `word` is the name to type for the first of these
    /// voices.
    static func modelOnly(path: String, _ model: Model, voices: [Voice], word: String) -> SpeechError {
        let example = voices.first.map { ", \(voices.count == 1 ? "" : "such as ")\($0.title)" } ?? ""
        return unclear(
            "\(path) is the model for \(voices.count == 1 ? "a voice" : "\(voices.count) voices") of \(model.engine)\(example), not a "
                + "complete voice.",
            Facts(path: path, engine: model.engine), remedy: .addVoicesOrDownload(word, precision: model.precision))
    }

    static func severalFiles(role: String, _ paths: [String]) -> SpeechError {
        unclear(
            "Several of the files could be the \(role): \(paths.map(name(of:)).joined(separator: ", ")).",
            Facts(name: role, candidates: paths), remedy: .nameFiles)
    }

    /// The engine needs a file for each of these roles, and some files are missing. `missing` contains the paths where
    /// they are expected, and `others` contains files that may have been intended for these roles. `next` is the
    /// command to add the files afterwards, or nil if an archive must be unpacked first.
    static func needs(
        engine: String, roles: [String], missing: [(role: String, path: String)], others: [String],
        next: Remedy.Addition?
    ) -> SpeechError {
        let remedy: Remedy =
            if let next {
                if missing.count == 1, others.count == 1, missing[0].path != others[0] {
                    .renameAndAdd(others[0], to: missing[0].path, role: missing[0].role, next)
                } else {
                    .completeAndAdd(missing.map { "\($0.role) at \($0.path)" }, next)
                }
            } else {
                .unpackAndComplete(missing.map(\.role))
            }
        return SpeechError(
            .ownFilesIncomplete,
            "The engine \(engine) needs one file for each of these roles: \(roles.joined(separator: ", ")).",
            Facts(engine: engine, candidates: roles), remedy: remedy)
    }

    /// `name` is missing from the folder that contains `path`.
    package static func missing(name: String, beside path: String, engine: String) -> SpeechError {
        SpeechError(
            .ownFilesIncomplete, "\(name) is missing next to \(path). The engine \(engine) needs both files.",
            Facts(path: path, name: name, engine: engine), remedy: .putFileBeside)
    }

    /// The files are a model without voices. `next` is the command that adds the model together with voices from the
    /// same folder or another one.
    static func noVoice(
        model: String, engine: String, role: String, from origin: EngineHints.Origin?, next: Remedy.Addition
    ) -> SpeechError {
        SpeechError(
            .ownFilesIncomplete,
            "\(model) is a model for the engine \(engine), but at least one voice file (\(role)) is missing.",
            Facts(path: model, name: role, engine: engine),
            remedy: .addTogether(next, with: origin?.file, from: origin?.from))
    }

    /// The files are voices without their model. `next` is the command that adds the voices together with their model.
    static func noModel(
        voices: String, engine: String, role: String, from origin: EngineHints.Origin?, next: Remedy.Addition
    ) -> SpeechError {
        SpeechError(
            .ownFilesIncomplete,
            "\(voices) contains voices for the engine \(engine), but their \(role) file is missing.",
            Facts(path: voices, name: role, engine: engine),
            remedy: .addTogether(next, with: origin?.file, from: origin?.from))
    }

    /// The engine does not support the voices. `next` is the command to add the voices; the remedy extends it to add
    /// them as English voices.
    static func unsupported(_ left: Omission, next: Remedy.Addition) -> SpeechError {
        SpeechError(
            .voiceUnsupported, "\(left.words) cannot be added: \(left.reason).",
            Facts(reason: left.reason, candidates: left.titles), remedy: .addAsEnglish(next))
    }

    /// The recognizer failed to load the model or to process audio in a test.
    static func recognizerTestFailed(_ name: String, _ failure: EngineFailure) -> SpeechError {
        let error = SpeechError(recognizer: failure)
        // If the recognizer rejects the model, the files are invalid.
        let isRefused = if case .reported = failure.reason { true } else { false }
        var facts = error.facts
        facts.model = name
        return SpeechError(
            isRefused ? .voiceNotAdded : error.code, "\(name) was not added. \(error.message)", facts,
            remedy: .replaceFiles, cause: failure)
    }

    /// The voice could not speak in a test.
    package static func silent(_ title: String, _ error: SpeechError) -> SpeechError {
        var facts = error.facts
        facts.voice = title
        // The test text is trivial, so a rejected request means that the voice is unusable.
        let isRefused =
            if case .reported(let reported)? = (error.cause as? EngineFailure)?.reason {
                [.failed, .badRequest].contains(reported.kind)
            } else {
                error.code == .voiceFileInvalid
            }
        let code = isRefused ? .voiceNotAdded : error.code
        func made(_ message: String, _ remedy: Remedy?) -> SpeechError {
            SpeechError(code, message, facts, remedy: remedy, cause: error.cause)
        }
        if error.code == .voiceFileInvalid, let path = error.facts.path, let reason = error.facts.reason {
            return made("\(name(of: path)): \(reason)", error.remedy)
        }
        guard let failure = error.cause as? EngineFailure else { return made(error.message, error.remedy) }
        if case .reported(let reported) = failure.reason, reported.kind == .failed {
            return made(reported.words, nil)
        }
        return made(
            "\(title) was not added because its engine cannot use it. \(failure.message)",
            .replaceVoiceFiles(log: failure.log))
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// Voices that were omitted for the same reason.
package struct Omission: Sendable {
    package var titles: [String]
    /// The reason as a sentence without its final period.
    package let reason: String

    /// A phrase such as "Alpha (Japanese) and 4 more".
    package var words: String {
        let more = titles.count - 1
        return (titles.first ?? "") + (more > 0 ? " and \(more) more" : "")
    }
}
