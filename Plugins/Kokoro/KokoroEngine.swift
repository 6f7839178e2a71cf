import EngineKit

/// Speaks the voices of Kokoro-82M: one model, and a table of style vectors for each voice.
struct KokoroEngine: SpeechEngine {
    enum Role {
        static let model = "model"
        static let style = "style"
        static let lexicon = "lexicon"
    }

    static var description: EngineDescription {
        EngineDescription(
            id: "kokoro", name: "Kokoro", version: "0.1.0",
            // Of libespeak-ng, which it links.
            licence: "GPL-3.0-or-later",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .blends],
            // Lanes share the weights, but each needs the memory of a chunk in the making.
            maximumLanes: 4,
            rates: 0.5...2,
            roles: [
                FileRole(Role.model, scope: .model), FileRole(Role.style, scope: .voice),
                FileRole(Role.lexicon, scope: .model, isOptional: true),
            ])
    }

    static func load(_ files: ModelFiles) throws -> KokoroModel {
        try KokoroModel(files)
    }
}
