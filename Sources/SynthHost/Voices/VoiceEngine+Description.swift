package import EngineWire
package import VoiceCatalogue

extension VoiceEngine {
    /// The part of an engine's description that the choice of a voice needs.
    ///
    /// - Parameter first: the id of the default engine.
    package init(_ engine: EngineDescription, first: String? = nil) {
        self.init(
            id: engine.id, isFirst: engine.id == first, isExample: engine.capabilities.contains(.isExample),
            blends: engine.capabilities.contains(.blends),
            known: Dictionary(
                engine.voices.map { ($0.id, Known(model: $0.model, needsFiles: !$0.sources.isEmpty)) },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension EngineDescription {
    /// Whether the engine speaks the voice without any file.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool {
        voices.contains { $0.id == voice.id && $0.sources.isEmpty }
    }
}
