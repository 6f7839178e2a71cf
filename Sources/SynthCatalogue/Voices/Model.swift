/// A model, whose files its voices share.
package struct Model: Sendable, Hashable {
    package let id: String
    package let engine: String
    package let name: String?
    /// "fp32", "int8" …, if there is a choice.
    package let precision: String?
    /// The model that this one can replace.
    package let variantOf: String?
    package let licence: String?
    /// The cost of one second of its speech, in 10^9 multiply-adds as a probe counts them; nil = not measured.
    package let cost: Double?
    /// Measures the speed of the engine on a machine before the model is downloaded.
    package let probe: Probe?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first fails.
    package let alternative: [ModelFile]
}

extension Model {
    /// The id of the base model, which all its variants can replace.
    package var family: String { variantOf ?? id }

    /// The model with those of its files that a voice of a language (BCP-47) uses.
    package func used(by language: String) -> Model {
        func isUsed(_ file: ModelFile) -> Bool { file.language.map { VoiceMatch.covers($0, language) } ?? true }
        guard !files.allSatisfy(isUsed) else { return self }
        return Model(
            id: id, engine: engine, name: name, precision: precision, variantOf: variantOf, licence: licence,
            cost: cost, probe: probe, files: files.filter(isUsed), alternative: alternative)
    }
}

/// Files of a tiny model that only measures speed. They are small enough for the registry, so that an engine can be
/// measured before anything is downloaded; their sound has no use.
package struct Probe: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package let role: String
        package let name: String
        package let content: [UInt8]
    }

    /// The cost of one utterance of any length, in 10^9 multiply-adds. The other work of the engine has the same
    /// proportion as in real speech.
    package let cost: Double
    /// BCP-47, of its one voice.
    package let language: String
    package let files: [File]
}

/// A model of a recognizer, from a registry, or from the record of one that is installed.
package struct HearingModel: Sendable, Hashable, Identifiable {
    /// Unique among all voices and models of a registry.
    package let id: String
    /// The id of the recognizer that it is for.
    package let recognizer: String
    /// The name shown to people: "Whisper tiny, English".
    package let name: String
    /// BCP-47; empty = any that the recognizer knows.
    package let languages: [String]
    package let licence: String?
    /// The work for one second of speech: as much as this many 10^9 multiply-adds of a neural engine; nil = not known.
    package let cost: Double?
    /// What it is good for, in words that follow its name: "for quick notes in English"; nil = not known.
    package let suits: String?
    /// Its place among those that are proposed; nil = it is not.
    package let starter: Int?
    /// What people should know before they download it, as a sentence.
    package let note: String?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first fails.
    package let alternative: [ModelFile]
    /// Its folder in the store. Unlike the id it is unique among all recognizers.
    package let folder: String

    package var downloadSize: Int64 { files.reduce(0) { $0 + $1.size } }

    /// Whether it understands a language (BCP-47).
    package func understands(_ language: String) -> Bool {
        languages.isEmpty || languages.contains { VoiceMatch.covers($0, language) || VoiceMatch.covers(language, $0) }
    }
}
