package import EngineWire
package import VoiceCatalogue

extension VoiceEngine {
    /// What an engine says of itself, as far as it matters for the choice of a voice.
    package init(_ engine: EngineDescription) {
        self.init(
            id: engine.id, isExample: engine.capabilities.contains(.isExample),
            blends: engine.capabilities.contains(.blends),
            known: Dictionary(
                engine.voices.map { ($0.id, Known(model: $0.model, needsFiles: !$0.sources.isEmpty)) },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension VoiceDirectory {
    /// - Parameter voices: those of other engines are left out.
    package init(engines: [EngineDescription], voices: [Voice]) {
        self.init(engines: engines.map { VoiceEngine($0) }, voices: voices)
    }

    /// Only what needs no file.
    package init(engines: [EngineDescription]) {
        self.init(engines: engines, voices: engines.flatMap(\.builtInVoices))
    }
}

extension EngineDescription {
    /// Whether the engine speaks the voice without any file.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool {
        voices.contains { $0.id == voice.id && $0.sources.isEmpty }
    }
}
