import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost setup --listen`: asks which recognizer model to download.
struct ListeningSetup: CommandPart {
    let context: CommandContext
    let cancellation: Cancellation

    func run() throws {
        let host = try context.host(try context.configuration())
        let inventory = host.snapshot()
        let offers = try offers(inventory)
        let isCostly = offers.contains { !$0.state.canListen && $0.model.cost != nil }
        let pace =
            isCostly
            ? PaceCheck(context: context, inventory: inventory, cancellation: cancellation).pace()
            : inventory.knownPace()
        guard let chosen = try ask(offers, pace) else {
            return context.printNote("Nothing was changed. To choose a model later, type: synthhost setup --listen")
        }
        if !chosen.state.canListen {
            let download = RecognizerDownload(context: context, inventory: inventory, cancellation: cancellation)
            try download.pull(chosen.model)
        }
        // Set the default after the download, because a default model must be installed.
        try context.changedConfiguration.choose(chosen.model)
        context.printNote("\(chosen.model.name) is now the default model. To use it, type: synthhost listen")
    }

    /// The models to offer, starting with those for the user's language.
    private func offers(_ inventory: HostSnapshot) throws -> [RecognizerChoice] {
        let all = try inventory.recognizerChoices().filter { choice in
            !choice.isExample && (choice.state.canListen || choice.model.starter != nil)
        }
        // If there is no model, this call throws an error that explains why.
        if all.isEmpty { _ = try inventory.chosenRecognizer() }
        guard !all.isEmpty else { throw SpeechError.noModel(language: nil) }
        let language = inventory.host.language
        let fitting = all.filter { choice in language.map(choice.model.understands) ?? true }
        return fitting + all.filter { choice in !fitting.contains { $0.isSame(as: choice) } }
    }

    /// The index of the first model that transcribes in real time or, if there is none, of the fastest model. Considers only models for
    /// the language of the first offer.
    private func recommended(_ offers: [RecognizerChoice], _ pace: MachinePace?) -> Int {
        guard let pace else { return 0 }
        let first = offers[0].model
        let fitting = offers.indices.filter { position in
            let languages = offers[position].model.languages
            return first.languages.isEmpty || languages.isEmpty || !Set(languages).isDisjoint(with: first.languages)
        }
        let costs = fitting.map { offers[$0].model.cost ?? 0 }
        if let position = costs.firstIndex(where: { pace.estimate(cost: $0).keepsUp }) { return fitting[position] }
        return costs.indices.min { costs[$0] < costs[$1] }.map { fitting[$0] } ?? 0
    }

    /// Asks the user to choose a model. Returns nil if the user declines.
    private func ask(_ offers: [RecognizerChoice], _ pace: MachinePace?) throws -> RecognizerChoice? {
        let best = recommended(offers, pace)
        let recommended = offers[best]
        if arguments[Options.yes] { return recommended }
        let lines = offers.enumerated().map { position, offer in
            line(offer, pace) + (position == best ? " (recommended)" : "")
        }
        let answer = try Question(context: context, cancellation: cancellation).ask { prompt in
            try prompt.choose(
                "Which model should transcribe speech?", from: lines + ["Skip: change nothing"], default: best)
        }
        guard let answer else {
            throw CommandFailure(
                .usage, "Cannot ask which model to use: no terminal is available.",
                "To use \(recommended.model.name) without being prompted, type: synthhost setup --listen --yes")
        }
        return answer.flatMap { offers.indices.contains($0) ? offers[$0] : nil }
    }

    /// Formats an offer, such as "Download Whisper base, for notes in many languages: 293 MB, about 12 s for a minute of speech".
    private func line(_ offer: RecognizerChoice, _ pace: MachinePace?) -> String {
        let model = offer.model
        let purpose = ", \(model.suits ?? languages(model))"
        var facts: [String] = []
        if !offer.state.canListen { facts.append(ByteCount.words(model.downloadSize)) }
        if let cost = model.cost, let pace { facts.append(pace.estimate(cost: cost).minuteWords) }
        return "\(offer.state.canListen ? "Use" : "Download") \(model.name)\(purpose)"
            + (facts.isEmpty ? "" : ": \(facts.joined(separator: ", "))")
    }

    private func languages(_ model: RecognizerModelEntry) -> String {
        switch model.languages.count {
        case 0: "any language"
        case 1: model.languages[0]
        case let count: "\(count) languages"
        }
    }
}
