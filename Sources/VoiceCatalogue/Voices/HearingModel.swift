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
