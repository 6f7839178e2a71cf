import CSynthEngine
public import EngineKit

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    EspeakNG.table(abi: abi, host: host)
}

/// The voices of libespeak-ng. It has one lane, because the library's state is global in the process.
enum EspeakNG: SpeechEngine {
    static let description = EngineDescription(
        id: "espeak-ng", name: "eSpeak NG", version: "1.0", licence: "GPL-3.0-or-later",
        url: "https://github.com/espeak-ng/espeak-ng", capabilities: [.speaksPhonemes, .timesWords, .streams],
        maximumLanes: 1,
        rates: Prosody.rates, pitches: Prosody.pitches)

    static func voices() throws -> [SpeechVoice] {
        let catalogue = try VoiceCatalogue.shared.get()
        return catalogue.voices.map { $0.speechVoice(speakers: catalogue.speakers) }
    }

    static func load(_ files: ModelFiles) throws -> EspeakModel {
        EspeakModel(catalogue: try VoiceCatalogue.shared.get())
    }
}
