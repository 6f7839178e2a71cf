import SynthAudio
import SynthHost
import VoiceCatalogue

/// One sentence of a voice, so that one hears what was chosen.
struct VoiceSample: Sendable {
    private let choice: VoiceChoice
    private let stock: VoiceStock
    private let stop = Cancellation()

    init(_ choice: VoiceChoice, _ stock: VoiceStock) {
        self.choice = choice
        self.stock = stock
    }

    /// From any thread.
    func cancel() { stop.cancel() }

    /// Blocks until it was heard.
    func speak(_ sentence: String) throws(SpeechFailure) {
        let configuration = stock.configuration
        let speech = try stock.inventory.session(choice).speak(
            try GivenText(sentence), SpeechSettings(configuration))
        stop.set { speech.cancel() }
        _ = try speech.deliver(to: stock.devices.sink(configuration.device ?? "default"))
    }
}
