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
