/// A model, whose files are shared by its voices.
package struct Model: Sendable, Hashable {
    package let id: String
    package let engine: String
    package let name: String?
    /// "fp32", "int8" …, if the model is available in several precisions.
    package let precision: String?
    /// The model that this one can replace.
    package let variantOf: String?
    package let licence: String?
    /// The cost of one second of speech, in 10^9 multiply-adds as a probe counts them; nil if it was not measured.
    package let cost: Double?
    /// A probe that measures the engine's speed on this machine before the model is downloaded.
    package let probe: Probe?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first one fails.
    package let alternative: [ModelFile]
}

extension Model {
    /// The id of the base model, which all its variants can replace.
    package var family: String { variantOf ?? id }

    /// The model with only those files that a voice of a language (BCP 47) uses.
    package func used(by language: String) -> Model {
        func isUsed(_ file: ModelFile) -> Bool { file.language.map { VoiceMatch.covers($0, language) } ?? true }
        guard !files.allSatisfy(isUsed) else { return self }
        return Model(
            id: id, engine: engine, name: name, precision: precision, variantOf: variantOf, licence: licence,
            cost: cost, probe: probe, files: files.filter(isUsed), alternative: alternative)
    }
}

/// The files of a tiny model that only measures speed. They are small enough to be in the registry, so that an engine
/// can be measured before anything is downloaded; their audio is meaningless.
package struct Probe: Sendable, Hashable {
    /// A file of the probe, with its content.
    package struct File: Sendable, Hashable {
        package let role: String
        package let name: String
        package let content: [UInt8]
    }

    /// The cost of one utterance of any length, in 10^9 multiply-adds. The engine's other work has the same proportion
    /// as in real speech.
    package let cost: Double
    /// The language (BCP 47) of its only voice.
    package let language: String
    package let files: [File]
}

/// A recognizer model, from a registry or from the record of an installed one.
package struct RecognizerModelEntry: Sendable, Hashable, Identifiable {
    /// The id, unique among all voices and models of a registry.
    package let id: String
    /// The id of its recognizer.
    package let recognizer: String
    /// The name shown to people: "Whisper tiny, English".
    package let name: String
    /// BCP 47 tags; empty for all languages that the recognizer supports.
    package let languages: [String]
    package let licence: String?
    /// The work for one second of speech, as the equivalent of 10^9 multiply-adds of a neural engine; nil if unknown.
    package let cost: Double?
    /// Its purpose, as a phrase after its name: "for quick notes in English"; nil if unknown.
    package let suits: String?
    /// Its position among the suggested models; nil if it is not suggested.
    package let starter: Int?
    /// A sentence that users should read before they download it.
    package let note: String?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first one fails.
    package let alternative: [ModelFile]
    /// Its folder in the store. Unlike the id, it is unique among all recognizers.
    package let folder: String

    package var downloadSize: Int64 { files.reduce(0) { $0 + $1.size } }

    /// Whether it supports a language (BCP 47).
    package func understands(_ language: String) -> Bool {
        languages.isEmpty || languages.contains { VoiceMatch.covers($0, language) || VoiceMatch.covers(language, $0) }
    }
}
