package import EngineKit
import SynthGraphs

/// Speaks small voices that were distilled from Kokoro, each of which is one graph of 8 MB.
package struct HibariEngine: EnginePlugin {
    package static var description: EngineDescription {
        EngineDescription(
            id: "hibari", name: "Hibari", version: "0.1.0", licence: "Apache-2.0",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .isDeterministic, .streams, .varies],
            // Lanes share the weights; each needs 10 MB for the sentence that it computes.
            maximumLanes: 4,
            rates: 0.5...3, pitches: 0.5...2,
            roles: [
                FileRole(HibariRole.model, scope: .model),
                FileRole(HibariRole.lexicon, scope: .model, isOptional: true),
                FileRole(HibariRole.britishLexicon, scope: .model, isOptional: true),
            ])
    }

    package static func load(_ files: ModelFiles) throws -> HibariModel {
        try HibariModel(files)
    }
}

/// A loaded voice.
package struct HibariModel: SpeechModel {
    private let voice: VoiceModel
    private let american: ListedEnglish
    private let british: ListedEnglish

    init(_ files: ModelFiles) throws {
        voice = try VoiceModel(path: files.files.path(HibariRole.model))
        guard voice.vocabulary > SymbolSet.largest else {
            throw HibariFailure.model("knows \(voice.vocabulary) symbols, fewer than Kokoro has")
        }
        american = Self.list(files.files[HibariRole.lexicon])
        british = Self.list(files.files[HibariRole.britishLexicon])
        EngineLog.info("It computes with \(voice.kernels).")
    }

    package func open() throws -> HibariLane {
        HibariLane(run: try VoiceRun(voice), american: american, british: british)
    }

    /// A list that is missing or damaged stops no speech.
    private static func list(_ path: String?) -> ListedEnglish {
        guard let path else { return ListedEnglish() }
        do throws(EngineError) {
            return try ListedEnglish(path: path)
        } catch {
            EngineLog.warning("\(error.message) Its words are spelled: \(path)")
            return ListedEnglish()
        }
    }
}
