import EngineKit

/// The one model of all voices: libespeak-ng reads the data of a language when it is first spoken.
struct EspeakModel: SpeechModel {
    let catalogue: VoiceCatalogue

    func open() -> EspeakLane { EspeakLane(catalogue: catalogue) }
}
