/// A voice from the shipped registry, the user's registry, or an engine.
package struct Voice: Sendable, Hashable, Identifiable {
    package let id: String
    package let engine: String
    /// The display name: "Heart".
    package let name: String
    /// A BCP 47 tag.
    package let language: String
    package let accent: String?
    package let gender: Gender?
    /// The overall grade assigned by the voice's authors, "A" to "F".
    package let grade: String?
    /// The quality, "x_low" … "high", if the voice is available in more than one quality.
    package let quality: String?
    package let license: String?
    /// The URL of the license, if `license` does not contain it.
    package let cardURL: String?
    /// The speakers' names; the first is the default. Empty for a single unnamed speaker.
    package let speakers: [String]
    /// Other accepted names.
    package let aliases: [String]
    /// The gain in decibels that makes the voice as loud as the other voices.
    package let gain: Double
    /// The cost of one second of speech in units of 10^9 multiply-adds, counted in the same way as for a probe; nil if
    /// the cost was not measured.
    package private(set) var cost: Double?
    /// The position among the starter voices, which are offered to new users; nil for other voices.
    package var starter: Int?
    package let isRecommended: Bool
    /// The reason that the engine does not support the voice, as a sentence without a final period; nil if the engine
    /// supports the voice.
    package let unsupported: String?
    /// The voice's model; nil if it has none.
    package private(set) var model: Model?
    package let files: [ModelFile]
    /// An alternative source for the same roles, used if the first source fails.
    package let alternative: [ModelFile]

    /// The folder in the store. Unlike the ID, it is unique across all engines.
    package let folder: String
    /// The time of the first installation, in seconds since 1970; nil if the voice is not installed, or the time is
    /// unknown.
    package var installed: Int64?

    /// The roles of the voice's own files and its model's files.
    package var roles: [String] {
        ((model?.files ?? []) + files).flatMap { file in
            if let archive = file.archive, !archive.roles.isEmpty { archive.roles.keys.sorted() } else { [file.role] }
        }
    }

    /// The download size in bytes, including the model's files.
    package var downloadSize: Int64 { ((model?.files ?? []) + files).reduce(0) { $0 + $1.size } }

    /// Returns this voice with a different model, to use a different precision.
    package func using(_ other: Model) -> Voice {
        var voice = self
        voice.cost = other.cost ?? cost
        voice.model = other.used(by: language)
        return voice
    }
}

extension [Voice] {
    /// The starter voices, with the recommended voice first.
    var starters: [Voice] {
        filter { $0.starter != nil }.sorted { ($0.starter ?? 0, $0.id) < ($1.starter ?? 0, $1.id) }
    }
}

/// The gender of a voice.
package enum Gender: String, Sendable, Codable {
    case female, male, neutral
}
