@testable import SynthCatalogue

/// An engine whose voices need no files.
struct TestEngine {
    var id: String
    var isExample = false
    var blends = false
    var voices: [DeclaredVoice] = []
}

extension VoiceDirectory {
    init(engines: [TestEngine], first: String? = nil) {
        self.init(
            engines: engines.map { engine in
                VoiceEngine(
                    id: engine.id, isFirst: engine.id == first, isExample: engine.isExample, blends: engine.blends,
                    known: Dictionary(
                        uniqueKeysWithValues: engine.voices.map {
                            ($0.id, VoiceEngine.Known(model: $0.model, needsFiles: false))
                        }))
            },
            voices: engines.flatMap { engine in engine.voices.compactMap { try? Voice($0, by: engine.id) } })
    }
}
