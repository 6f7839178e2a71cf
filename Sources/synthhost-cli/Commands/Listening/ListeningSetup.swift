import SynthCatalogue
import SynthCommandParts
import SynthCommandSyntax
import SynthHost
import SynthSentences
import SynthSystem
import SynthTerminal

/// `synthhost setup --listen`: gets a model that listens with one question.
struct ListeningSetup {
    let context: CommandContext
    let arguments: ParsedArguments
    let cancellation: Cancellation

    func run() throws {
        let host = try context.host(arguments, try context.configuration(arguments))
        let inventory = host.inventory()
        let offers = try offers(inventory)
        guard let chosen = try ask(offers) else {
            return say("Nothing was changed. `synthhost setup --listen` asks again.")
        }
        if !chosen.state.canListen {
            try HearingDownload(context, arguments, inventory, cancellation).pull(chosen.model)
        }
        // Only after the download, because what is chosen must be able to listen.
        try ConfigurationAccess(context, arguments).file.choose(chosen.model)
        say("\(chosen.model.name) listens from now on: synthhost listen")
    }

    /// What can listen and what is proposed, those for the user's language first.
    private func offers(_ inventory: Inventory) throws -> [HearingChoice] {
        let all = try inventory.hearing().filter { choice in
            !choice.isExample && (choice.state.canListen || choice.model.starter != nil)
        }
        // The error says what is missing.
        if all.isEmpty { _ = try inventory.chooseHearing() }
        guard !all.isEmpty else { throw SpeechError.noModel(language: nil) }
        let language = inventory.host.language
        let fitting = all.filter { choice in language.map(choice.model.understands) ?? true }
        return fitting + all.filter { choice in !fitting.contains { $0.isSame(as: choice) } }
    }

    /// nil = none of them.
    private func ask(_ offers: [HearingChoice]) throws -> HearingChoice? {
        let recommended = offers[0]
        if arguments[Options.yes] { return recommended }
        let lines = offers.enumerated().map { place, offer in line(offer) + (place == 0 ? " (recommended)" : "") }
        let answer = try Question(context, cancellation).ask { prompt in
            try prompt.choose(
                "Which model should listen?", from: lines + ["Skip: leave everything as it is"], default: 0)
        }
        guard let answer else {
            throw CommandFailure(
                .usage, "There is no terminal to ask on.",
                "To take \(recommended.model.name) without a question, type: synthhost setup --listen --yes")
        }
        return answer.flatMap { offers.indices.contains($0) ? offers[$0] : nil }
    }

    /// "Download Whisper base, 99 languages, 293 MB"
    private func line(_ offer: HearingChoice) -> String {
        let model = offer.model
        let languages =
            switch model.languages.count {
            case 0: ""
            case 1: ", \(model.languages[0])"
            case let count: ", \(count) languages"
            }
        let size = offer.state.canListen ? "" : ", \(ByteCount.words(model.downloadSize))"
        return "\(offer.state.canListen ? "Take" : "Download") \(model.name)\(languages)\(size)"
    }

    private func say(_ line: String) {
        if !arguments[Options.quiet] { context.say(line) }
    }
}
