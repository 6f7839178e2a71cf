import SynthCatalogue
package import SynthHost
import SynthSystem

/// A model that listens, with its download.
package struct RecognizerEntry: Sendable {
    package let choice: HearingChoice
    /// nil = there is none, or the model is here.
    package let download: DownloadStatus?

    init(_ choice: HearingChoice, _ download: DownloadStatus?) {
        self.choice = choice
        self.download = download?.isRunning == false && choice.state.canListen ? nil : download
    }
}

/// The models that listen, for those who download them. Any thread may use it; all that it does reads the disk.
package final class RecognizerLibrary: Sendable {
    /// What there is, in the order in which it is proposed.
    package struct List: Sendable {
        package let entries: [RecognizerEntry]
        /// The key of the model that listens if none is named; nil = none is here.
        package let chosen: String?
        /// The key of the one to download if none is here; nil = there is none.
        package let proposed: String?
        /// Whether a detector tells speech from other sounds.
        package let hasDetector: Bool
    }
    private let current: Monitor<LocalHost>
    private let downloads = VoiceDownloads(onChange: { _ in }, onEnd: {})

    init(_ current: Monitor<LocalHost>) { self.current = current }

    /// - Parameter language: what is spoken (BCP-47); nil = not known.
    package func list(language: String?) throws(SpeechError) -> List {
        let inventory = current.read { $0 }.inventory()
        let chosenKind = inventory.host.presets.recognizer
        let choices = try inventory.hearing().filter { !$0.isExample || $0.recognizerID == chosenKind }
        var (chosen, proposed): (String?, String?) = (nil, nil)
        do {
            chosen = try inventory.chooseHearing(language: language).key
        } catch {
            if error.code == .modelNotDownloaded, let recognizer = error.facts.engine, let model = error.facts.model {
                proposed = "\(recognizer)/\(model)"
            }
        }
        let hasDetector = try inventory.detectors().contains { $0.state.canListen && !$0.isExample }
        return List(entries: choices.map(entry), chosen: chosen, proposed: proposed, hasDetector: hasDetector)
    }

    package func entry(_ key: String) throws(SpeechError) -> RecognizerEntry { entry(try choice(key)) }

    /// Downloads a model, unless it is here or under way; with the first one a detector of speech, which is small.
    package func download(_ key: String) throws(SpeechError) -> RecognizerEntry {
        let choice = try choice(key)
        guard !choice.state.canListen else { return entry(choice) }
        let inventory = current.read { $0 }.inventory()
        let detectors = try inventory.detectors().filter { !$0.isExample }
        let needed = detectors.contains(where: \.state.canListen) ? nil : detectors.first?.model
        let models = [choice.model] + [needed].compactMap(\.self)
        let total = models.reduce(0) { $0 + $1.downloadSize }
        downloads.begin(key, at: DownloadStatus(bytes: 0, total: total)) { [current] in
            current.read { $0 }.inventory().download(models)
        }
        return try entry(key)
    }

    /// Stops a download, and forgets one that failed. What arrived is kept.
    ///
    /// - Returns: the model, and whether there was a download.
    package func cancel(_ key: String) throws(SpeechError) -> (RecognizerEntry, wasThere: Bool) {
        let choice = try choice(key)
        let wasThere = downloads.cancel(key)
        return (entry(choice), wasThere)
    }

    /// All downloads stop. What arrived is kept.
    package func close() { downloads.cancelAll() }

    private func entry(_ choice: HearingChoice) -> RecognizerEntry {
        RecognizerEntry(choice, downloads.status(of: choice.key))
    }

    private func choice(_ key: String) throws(SpeechError) -> HearingChoice {
        let choices = try current.read { $0 }.inventory().hearing()
        guard let choice = choices.first(where: { $0.key == key }) else {
            throw .unknownModel(key, known: choices.map(\.key))
        }
        return choice
    }
}
