import SynthCatalogue
package import SynthHost
import SynthSystem

/// A recognizer model and its download.
package struct RecognizerEntry: Sendable {
    package let choice: RecognizerChoice
    /// The download, or nil if there is none or the model is already installed.
    package let download: DownloadStatus?

    init(_ choice: RecognizerChoice, _ download: DownloadStatus?) {
        self.choice = choice
        self.download = download?.isRunning == false && choice.state.canListen ? nil : download
    }
}

/// The recognizer models and their downloads. Thread-safe. All methods read the disk.
package final class RecognizerLibrary: Sendable {
    /// The known models, in order of recommendation.
    package struct List: Sendable {
        package let entries: [RecognizerEntry]
        /// The key of the default model, or nil if none is installed.
        package let chosen: String?
        /// The key of the model to offer for download if none is installed, or nil if none is available.
        package let proposed: String?
        /// Whether a voice activity detector is installed.
        package let hasDetector: Bool
    }
    private let current: Monitor<SpeechHost>
    private let downloads = VoiceDownloads(onChange: { _ in }, onEnd: {})

    init(_ current: Monitor<SpeechHost>) { self.current = current }

    /// - Parameter language: the spoken language (BCP 47), or nil if it is unknown.
    package func list(language: String?) throws(SpeechError) -> List {
        let inventory = current.read { $0 }.snapshot()
        let chosenKind = inventory.host.presets.recognizer
        let choices = try inventory.recognizerChoices().filter { !$0.isExample || $0.recognizerID == chosenKind }
        var (chosen, proposed): (String?, String?) = (nil, nil)
        do {
            chosen = try inventory.chosenRecognizer(language: language).key
        } catch {
            if error.code == .modelNotDownloaded, let recognizer = error.facts.engine, let model = error.facts.model {
                proposed = "\(recognizer)/\(model)"
            }
        }
        let hasDetector = try inventory.detectors().contains { $0.state.canListen && !$0.isExample }
        return List(entries: choices.map(entry), chosen: chosen, proposed: proposed, hasDetector: hasDetector)
    }

    package func entry(_ key: String) throws(SpeechError) -> RecognizerEntry { entry(try choice(key)) }

    /// Starts downloading a model unless it is already installed or being downloaded. If no voice activity detector is
    /// installed, downloads one as well.
    package func download(_ key: String) throws(SpeechError) -> RecognizerEntry {
        let choice = try choice(key)
        guard !choice.state.canListen else { return entry(choice) }
        let inventory = current.read { $0 }.snapshot()
        let detectors = try inventory.detectors().filter { !$0.isExample }
        let needed = detectors.contains(where: \.state.canListen) ? nil : detectors.first?.model
        let models = [choice.model] + [needed].compactMap(\.self)
        let total = models.reduce(0) { $0 + $1.downloadSize }
        downloads.begin(key, at: DownloadStatus(bytes: 0, total: total)) { [current] in
            current.read { $0 }.snapshot().download(models)
        }
        return try entry(key)
    }

    /// Stops a download, or removes a failed download from the list. Received data stays on disk.
    ///
    /// - Returns: the model, and whether there was a download to stop or remove.
    package func cancel(_ key: String) throws(SpeechError) -> (RecognizerEntry, wasThere: Bool) {
        let choice = try choice(key)
        let wasThere = downloads.cancel(key)
        return (entry(choice), wasThere)
    }

    /// Stops all downloads. Received data stays on disk.
    package func close() { downloads.cancelAll() }

    private func entry(_ choice: RecognizerChoice) -> RecognizerEntry {
        RecognizerEntry(choice, downloads.status(of: choice.key))
    }

    private func choice(_ key: String) throws(SpeechError) -> RecognizerChoice {
        let choices = try current.read { $0 }.snapshot().recognizerChoices()
        guard let choice = choices.first(where: { $0.key == key }) else {
            throw .unknownModel(key, known: choices.map(\.key))
        }
        return choice
    }
}
