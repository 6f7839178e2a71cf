import CSynthEngine
public import EngineKit
import ONNXInference

/// Speaks the voices of Kokoro-82M: one model, and a table of style vectors for each voice.
struct KokoroEngine: EnginePlugin {
    static var description: EngineDescription {
        EngineDescription(
            id: "kokoro", name: "Kokoro", version: "0.1.0",
            // That of libespeak-ng, which the engine links.
            licence: "GPL-3.0-or-later",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .blends],
            // Lanes share the weights, but each needs memory for the chunk that it computes.
            maximumLanes: 4,
            rates: 0.5...2,
            roles: [
                FileRole(KokoroRole.model, scope: .model), FileRole(KokoroRole.style, scope: .voice),
                FileRole(KokoroRole.lexicon, scope: .model, isOptional: true),
                FileRole(KokoroRole.britishLexicon, scope: .model, isOptional: true),
            ],
            variables: [ModelForm.switchName])
    }

    static func load(_ files: ModelFiles) throws -> KokoroModel {
        try KokoroModel(files)
    }
}

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    KokoroEngine.table(abi: abi, host: host)
}
