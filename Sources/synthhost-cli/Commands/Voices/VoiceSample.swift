import SynthAudio
import SynthHost
import VoiceCatalogue

/// Speaks one sentence with the chosen voice.
struct VoiceSample: Sendable {
    private let choice: VoiceChoice
    private let library: VoiceLibrary
    private let stop = Cancellation()

    init(_ choice: VoiceChoice, _ library: VoiceLibrary) {
        self.choice = choice
        self.library = library
    }

    /// From any thread.
    func cancel() { stop.cancel() }

    /// Blocks until it was played.
    func speak(_ sentence: String) throws(SpeechFailure) {
        let configuration = library.configuration
        let speech = try library.inventory.session(choice).speak(
            try GivenText(sentence), SpeechSettings(configuration, for: choice))
        stop.set { speech.cancel() }
        _ = try speech.deliver(to: library.devices.sink(configuration.device ?? "default"))
    }
}
