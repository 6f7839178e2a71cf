import Dispatch
package import EngineKit
import SynthEnglish
import SynthGraphs

/// Speaks with small voices distilled from Kokoro. A voice is a single 8 MB graph.
package struct HibariEngine: EnginePlugin {
    package static var description: EngineDescription {
        EngineDescription(
            id: "hibari", name: "Hibari", version: "0.1.0", license: "Apache-2.0",
            capabilities: [
                .speaksPhonemes, .timesWords, .timesPhonemes, .isDeterministic, .streams, .varies, .shapesPitch,
                .whispers,
            ],
            // Lanes share the weights; each lane needs 10 MB for its current sentence.
            maximumLanes: 4,
            // At higher rates, short phonemes and even entire words disappear.
            rates: 0.5...1.25, pitches: 0.5...2,
            roles: [FileRole(HibariRole.model, scope: .model)])
    }

    package static func load(_ files: ModelFiles) throws -> HibariModel {
        try HibariModel(files)
    }
}

/// A loaded voice.
package struct HibariModel: SpeechModel {
    private let voice: HibariWeights
    private let readers = EnglishReaders()

    init(_ files: ModelFiles) throws {
        // The word lists are checked on another thread. If the check fails, the first request reports the error.
        let preparation = DispatchGroup()
        let (readers, id) = (readers, files.model)
        WorkThread.start(in: preparation) {
            if let accent = try? EnglishAccent(voice: id, tag: nil) { _ = try? readers.reader(of: accent) }
        }
        defer { preparation.wait() }
        voice = try HibariWeights(path: files.files.path(HibariRole.model))
        guard voice.vocabulary > SymbolSet.largest else {
            throw HibariFailure.model("has only \(voice.vocabulary) symbols, fewer than Kokoro's symbol set requires")
        }
        EngineLog.info("Compute kernels: \(voice.kernels).")
    }

    package func open() throws -> HibariLane {
        HibariLane(run: try HibariRun(voice), readers: readers)
    }
}
