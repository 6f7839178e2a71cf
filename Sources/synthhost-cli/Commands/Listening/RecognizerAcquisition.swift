import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// Finds the requested recognizer model, and downloads it if the user agrees.
struct RecognizerAcquisition: CommandPart {
    let context: CommandContext
    let inventory: HostSnapshot
    let cancellation: Cancellation

    /// - Parameter check: called before a download. Throws if the command would fail with this choice.
    func choose(after check: (RecognizerChoice) throws -> Void) throws -> RecognizerChoice {
        let choice = try acquire(after: check)
        EngineNotices(context: context, inventory: inventory).showRecognizer(choice.recognizerID)
        return choice
    }

    private func acquire(after check: (RecognizerChoice) throws -> Void) throws -> RecognizerChoice {
        switch Result(catching: find) {
        case .success(let choice):
            try check(choice)
            return choice
        case .failure(let error):
            guard error.code == .modelNotDownloaded,
                let choice = try inventory.recognizerChoices().first(where: { choice in
                    choice.recognizerID == error.facts.engine && choice.model.id == error.facts.model
                })
            else { throw CommandFailure(error) }
            let model = choice.model
            try check(choice)
            guard !inventory.host.network.isOffline else {
                throw CommandFailure(
                    offline: model.name, pull: "synthhost models pull \(ShellWord.quoted(model.id))")
            }
            guard try isWanted(model) else { throw CommandFailure(error) }
            try RecognizerDownload(context: context, inventory: inventory, cancellation: cancellation).pull(model)
        }
        return try find()
    }

    private func find() throws(SpeechError) -> RecognizerChoice {
        try inventory.chosenRecognizer(
            recognizer: arguments[Options.recognizer], model: arguments[Options.recognizerModel],
            language: arguments[Options.spokenLanguage])
    }

    private func isWanted(_ model: RecognizerModelEntry) throws -> Bool {
        if arguments[Options.yes] || inventory.host.presets.autoDownload { return true }
        guard context.canAsk else { return false }
        return try Question(context: context, cancellation: cancellation).ask { prompt in
            try prompt.confirm(
                "Download \(model.name) (\(ByteCount.words(model.downloadSize))) now?", default: true)
        } ?? false
    }
}

extension ParsedArguments {
    /// Names and terms to expect, including the user's own vocabulary.
    func likelyWords() throws -> [String] {
        let listed = self[Options.spokenWords] ?? []
        guard let path = self[Options.vocabulary] else { return listed }
        do { return try listed + Vocabulary.words(of: path) } catch { throw CommandFailure(error) }
    }
}

/// Downloads a recognizer model and shows the progress. Also downloads a voice activity detector if none is installed.
struct RecognizerDownload {
    let context: CommandContext
    let inventory: HostSnapshot
    let cancellation: Cancellation

    /// Blocks until the model is installed.
    func pull(_ model: RecognizerModelEntry) throws {
        let reporter = context.reporter()
        let download = inventory.download(model, on: context.executor)
        context.show(download, of: model.name, reporter, cancellation)
        guard let problem = download.problem else {
            reporter.print("\(model.name) is ready.")
            return pullDetector(reporter)
        }
        let pull = "synthhost models pull \(ShellWord.quoted(model.id))"
        if problem.code == .cancelled {
            throw CommandFailure(
                .interrupted, "The download of \(model.name) was stopped. The data received so far is kept.",
                "To continue, type: \(pull)")
        }
        throw CommandFailure(problem, pull: pull)
    }

    /// Downloads the voice activity detector, which is small. Without it, recognizers would hallucinate text in music and noise. A failed
    /// download is not an error, because speech can be detected by its volume instead.
    private func pullDetector(_ reporter: ProgressReporter) {
        let detectors = ((try? inventory.detectors()) ?? []).filter { !$0.isExample }
        guard let model = detectors.first?.model, !detectors.contains(where: \.state.canListen), model.downloadSize > 0
        else { return }
        let download = inventory.download(model, on: context.executor)
        context.show(download, of: model.name, reporter, cancellation)
        reporter.print(
            download.problem == nil
                ? "\(model.name) is ready."
                : "\(model.name) was not downloaded, so silence in recordings is not skipped. To try again, type: synthhost "
                    + "models pull \(ShellWord.quoted(model.id))")
    }
}
