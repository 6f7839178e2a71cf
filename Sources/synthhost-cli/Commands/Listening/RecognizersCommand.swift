import SynthCatalogue
import SynthCommandSyntax
import SynthEngineWire
import SynthHost
import SynthSystem

/// `synthhost recognizers`: lists the recognizers and their models.
struct RecognizersCommand: Command {
    let context: CommandContext

    func run() throws {
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot(arguments[Options.rescan] ? .anew : .usual)
        let choices = try inventory.recognizerChoices() + inventory.detectors()
        let chosen = try? inventory.chosenRecognizer()
        let listings = inventory.recognizerListings
        if arguments[Options.json] {
            return try context.print(json: choices.map { $0.json(isChosen: $0.isSame(as: chosen)) })
        }
        guard !listings.isEmpty else {
            throw CommandFailure(SpeechError.recognizerMissing(folder: inventory.host.folders.plugins))
        }
        for listing in listings {
            switch listing.verdict {
            case .success(let recognizer):
                try context.print("\(recognizer.id)  \(recognizer.name) \(recognizer.version), \(recognizer.license)")
                try context.print("    \(listing.path)")
                for line in listing.requests?.lines ?? [] { try context.print("    \(line)") }
                for choice in choices where choice.recognizerID == recognizer.id {
                    try context.print("  \(choice.isSame(as: chosen) ? "*" : " ") \(choice.words)")
                }
            case .failure(let failure):
                try context.print("! \(SpeechError(failure).message)")
                try context.print("    \(SpeechError(failure).nextStep)")
            }
        }
    }
}

extension RecognizerChoice {
    /// The line for a model, such as "whisper-base  Whisper base, 99 languages, ready".
    fileprivate var words: String {
        let languages =
            switch model.languages.count {
            case 0: ""
            case ...6: ", \(model.languages.joined(separator: " "))"
            case let count: ", \(count) languages"
            }
        let condition =
            switch state {
            case .builtIn: "built in"
            case .ready: "ready"
            case .notDownloaded(nil): "\(ByteCount.words(model.downloadSize)) to download"
            case .notDownloaded(let reason?): "not downloaded: \(reason)"
            }
        return "\(model.id)  \(model.name)\(languages), \(condition)" + (model.note.map { ". \($0)" } ?? "")
    }

    /// A model in `recognizers --json`.
    fileprivate func json(isChosen: Bool) -> JSONMembers {
        let word =
            switch state {
            case .builtIn: "built in"
            case .ready: "ready"
            case .notDownloaded: "not downloaded"
            }
        return [
            "recognizer": recognizerID, "id": model.id, "name": model.name, "languages": model.languages,
            "license": model.license, "state": word, "bytes": model.downloadSize, "chosen": isChosen,
        ]
    }
}
