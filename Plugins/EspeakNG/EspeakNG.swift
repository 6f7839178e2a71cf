import CSynthEngine
public import EngineKit
import Synchronization
import SynthPhonemes

/// The engine's entry point; `nil` for an unsupported ABI version.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    EspeakNG.table(abi: abi, host: host)
}

/// The engine for libespeak-ng's voices. It has only one lane, because the library's state is global to the process.
enum EspeakNG: EnginePlugin {
    static let description = EngineDescription(
        id: "espeak-ng", name: "eSpeak NG", version: "1.0", license: "GPL-3.0-or-later",
        url: "https://github.com/espeak-ng/espeak-ng", capabilities: [.speaksPhonemes, .timesWords, .streams],
        maximumLanes: 1, pitches: Prosody.pitches)

    static func voices() throws -> [EngineVoice] {
        let catalogue = try EspeakLibrary.shared.withLock { try $0.catalogue() }
        return catalogue.voices.map { $0.engineVoice(speakers: catalogue.speakers) }
    }

    static func load(_ files: ModelFiles) throws -> EspeakModel {
        EspeakModel(catalogue: try EspeakLibrary.shared.withLock { try $0.catalogue() })
    }
}

/// The single model, which all voices share. libespeak-ng reads a language's data when the language is first used.
struct EspeakModel: SpeechModel {
    let catalogue: EspeakCatalogue

    func open() -> EspeakLane { EspeakLane(catalogue: catalogue) }
}

struct EspeakLane: SpeechLane {
    let catalogue: EspeakCatalogue

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let name = try catalogue.name(for: request)
        guard request.text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        let prosody = Prosody(pitch: request.pitch)
        try EspeakLibrary.shared.withLock { library in
            try library.select(name, prosody)
            let (text, places) = try library.prepare(request)
            guard !places.isEmpty else { return }
            try output.begin(sampleRate: library.sampleRate)
            var utterance = EspeakUtterance(places: places)
            try library.speak(text, hasMnemonics: request.kind != .text, as: &utterance, to: output)
        }
    }
}
