import Engines
import EngineWire
import ModelStore
import SynthAudio
import SynthHost

/// One sentence of a voice, so that one hears what was chosen.
struct VoiceSample: Sendable {
    private let voice: Voice
    private let stock: VoiceStock
    private let stop = Cancellation()

    init(_ voice: Voice, _ stock: VoiceStock) {
        self.voice = voice
        self.stock = stock
    }

    /// From any thread.
    func cancel() { stop.cancel() }

    /// Blocks until it was heard.
    func speak(_ sentence: String) throws(SpeechFailure) {
        guard let plugin = stock.plugins.first(where: { $0.engine?.id == voice.engine }),
            let engine = stock.host.engine(plugin)
        else { throw .voice(.noEngine) }
        let configuration = stock.configuration
        let prepared: PreparedVoice
        do throws(VoiceError) {
            prepared = try stock.host.prepare(VoiceChoice(voice: voice), of: engine.description)
        } catch {
            throw .voice(error)
        }
        let lane: EngineLane
        do throws(EngineFailure) {
            lane = try engine.openLane(on: prepared.load)
        } catch {
            throw .engine(error)
        }
        let speaker = Speaker(
            lane: lane, engine: engine.description, voice: prepared,
            settings: SpeechSettings(
                rate: configuration.rate, pitch: configuration.pitch,
                volume: Gain(factor: Float(configuration.volume)), language: nil),
            source: try GivenText(sentence), sink: ALSASink(device: configuration.device ?? "default"))
        stop.set { speaker.cancel() }
        _ = try speaker.speak()
    }
}
