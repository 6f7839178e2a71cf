/// A voice, wherever it was declared: in the shipped registry, the user's own, or by an engine.
package struct Voice: Sendable, Hashable, Identifiable {
    package let id: String
    package let engine: String
    /// What people call it: "Heart".
    package let name: String
    /// BCP-47.
    package let language: String
    package let accent: String?
    package let gender: Gender?
    /// An overall grade as its makers gave it, "A" to "F".
    package let grade: String?
    /// "x_low" … "high", where a voice comes in several.
    package let quality: String?
    package let licence: String?
    /// Where the licence can be read when `licence` does not say it.
    package let cardURL: String?
    /// Names, the first is the one that speaks unless another is asked for. Empty = one, unnamed.
    package let speakers: [String]
    /// Other names that are understood.
    package let aliases: [String]
    /// In decibels, what brings it to the loudness of the others.
    package let gain: Double
    /// What a second of its speech costs, in 10^9 multiply-adds as a probe counts them; nil = nobody measured it.
    package let cost: Double?
    /// Its place among the voices that a newcomer is offered.
    package let starter: Int?
    package let isRecommended: Bool
    /// Why its engine cannot speak it, as a sentence without its stop; nil = it can.
    package let unsupported: String?
    /// The model that it leans on.
    package let model: Model?
    package let files: [ModelFile]
    /// Another way to the same roles, used when the first fails.
    package let alternative: [ModelFile]

    /// The folder in the store. Engines name their own voices without knowing of each other.
    package let folder: String

    /// The roles that its files give the engine, its model's included.
    package var roles: [String] {
        ((model?.files ?? []) + files).flatMap { file in
            if let archive = file.archive, !archive.roles.isEmpty { archive.roles.keys.sorted() } else { [file.role] }
        }
    }

    /// Bytes to download for it alone, its model included.
    package var downloadSize: Int64 { ((model?.files ?? []) + files).reduce(0) { $0 + $1.size } }

    /// The same voice on another model, for another precision.
    package func using(_ other: Model) -> Voice {
        Voice(
            id: id, engine: engine, name: name, language: language, accent: accent, gender: gender, grade: grade,
            quality: quality, licence: licence, cardURL: cardURL, speakers: speakers, aliases: aliases, gain: gain,
            cost: other.cost ?? cost, starter: starter, isRecommended: isRecommended,
            unsupported: unsupported, model: other, files: files,
            alternative: alternative,
            folder: folder)
    }
}
