/// A model, whose files are shared by its voices.
package struct Model: Sendable, Hashable, Identifiable {
    package let id: String
    package let engine: String
    package let name: String?
    /// The precision, such as "fp32" or "int8", if the model is available in several precisions.
    package let precision: String?
    /// The ID of the model that this model can replace.
    package let variantOf: String?
    package let license: String?
    /// The cost of one second of speech in units of 10^9 multiply-adds, counted in the same way as for a probe; nil if
    /// the cost was not measured.
    package let cost: Double?
    /// A probe for measuring the engine's speed on this machine before the model is downloaded.
    package let probe: Probe?
    package private(set) var files: [ModelFile]
    /// An alternative source for the same roles, used if the first source fails.
    package let alternative: [ModelFile]
}

extension Model {
    /// The ID of the base model, which all its variants can replace.
    package var family: String { variantOf ?? id }

    /// The model with only the files used by voices for a language (BCP 47).
    package func used(by language: String) -> Model {
        func isUsed(_ file: ModelFile) -> Bool { file.language.map { VoiceMatch.covers($0, language) } ?? true }
        var model = self
        model.files.removeAll { !isUsed($0) }
        return model
    }
}

/// The files of a tiny model that is used only to measure speed. They are small enough to be included in the registry,
/// so that an engine can be measured before anything is downloaded. The audio that they produce is meaningless.
package struct Probe: Sendable, Hashable {
    /// A file of the probe, including its contents.
    package struct File: Sendable, Hashable {
        package let role: String
        package let name: String
        package let content: [UInt8]
    }

    /// The cost of one utterance of any length, in units of 10^9 multiply-adds. The engine's other work takes the same
    /// fraction of the time as for real speech.
    package let cost: Double
    /// The language of the only voice, as a BCP 47 tag.
    package let language: String
    package let files: [File]
}

/// A recognizer model, from a registry or from an installed model's record.
package struct RecognizerModelEntry: Sendable, Hashable, Identifiable {
    /// The ID, which is unique among all voices and models in a registry.
    package let id: String
    /// The ID of the recognizer that uses the model.
    package let recognizer: String
    /// The display name: "Whisper tiny, English".
    package let name: String
    /// BCP 47 tags; empty if the model supports all languages of the recognizer.
    package var languages: [String]
    package let license: String?
    /// The cost of one second of speech, in units of 10^9 multiply-adds of a neural engine; nil if unknown.
    package let cost: Double?
    /// The model's purpose, as a phrase that follows its name: "for quick notes in English"; nil if unknown.
    package let suits: String?
    /// The position among the suggested models; nil if the model is not suggested.
    package let starter: Int?
    /// A sentence for users to read before they download the model.
    package let note: String?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first source fails.
    package let alternative: [ModelFile]
    /// The folder in the store. Unlike the ID, it is unique across all recognizers.
    package let folder: String

    package var downloadSize: Int64 { files.reduce(0) { $0 + $1.size } }

    /// Whether the model supports a language (BCP 47).
    package func understands(_ language: String) -> Bool {
        languages.isEmpty || languages.contains { VoiceMatch.covers($0, language) || VoiceMatch.covers(language, $0) }
    }
}
