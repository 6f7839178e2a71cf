import FoundationEssentials

/// The entry of an engine in `models.json`. Nested keys are written with points: "language.code".
struct EngineDocument: Codable {
    var absent: String?
    var first: Bool?
    var endings: [String: String]?
    var signs: [String: String]?
    var archivePrefix: String?
    /// `EngineNote` reads it.
    var fallback: Int?
    /// Of the voices that are built into it, and of those of them that differ; `EngineNote` reads them.
    var gain: Double?
    var gains: [String: Double]?
    var description: DescriptionDocument?

    /// The first invalid value.
    var problem: RegistryProblem? {
        for (role, ending) in (endings ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard FileName.isRole(role) else { return .badRole(role) }
            guard ending.hasPrefix("."), FileName.isSafe("a" + ending), GivenName.isOneLine(ending) else {
                return .badEnding(ending)
            }
        }
        for (role, sign) in (signs ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard FileName.isRole(role) else { return .badRole(role) }
            guard !sign.isEmpty else { return .emptySign(role: role) }
        }
        guard let archivePrefix else { return nil }
        return FileName.isSafe(archivePrefix) && GivenName.isOneLine(archivePrefix) ? nil : .badPrefix(archivePrefix)
    }

    var hints: EngineHints {
        EngineHints(
            absent: absent, isFirst: first, endings: endings ?? [:], signs: signs ?? [:],
            archivePrefix: archivePrefix,
            description: description.map {
                EngineHints.Description(
                    name: Self.keys($0.name), language: ($0.language ?? []).map(Self.keys),
                    speakers: Self.keys($0.speakers))
            })
    }

    private static func keys(_ path: String?) -> [String] { (path ?? "").split(separator: ".").map(String.init) }
}

struct DescriptionDocument: Codable {
    var name: String?
    var language: [String]?
    var speakers: String?
}
