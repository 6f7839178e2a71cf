/// Information that the registry provides about an engine because the engine itself does not provide it.
package struct EngineHints: Sendable, Equatable {
    /// The keys of the name, language and speakers in a model's JSON file.
    package struct Description: Sendable, Equatable {
        package var name: [String] = []
        /// Key paths, tried in order.
        package var language: [[String]] = []
        /// The key path of an object that maps names to numbers.
        package var speakers: [String] = []
    }

    /// A source from which users can get the file for a role.
    package struct Origin: Sendable, Equatable, Codable {
        /// The published file name, such as "voices-v1.0.bin".
        package let file: String
        /// The name of the source, such as "the release model-files-v1.0 of kokoro-onnx, https://…".
        package let from: String
    }

    /// Instructions for the user if the engine is not installed.
    package var absent: String?
    /// Whether this is the default engine.
    package var isFirst: Bool?
    /// The usual file extension for each role, such as ".onnx". The alternative extension is the role's name.
    package var endings: [String: String] = [:]
    /// For each role, a byte string that all files with that role contain, regardless of their names.
    package var signs: [String: String] = [:]
    /// The usual extensions of files with one or more voices, such as ".bin", for an engine whose voices share a model.
    package var voices: [String] = []
    /// The sources from which users can get files, keyed by role.
    package var origins: [String: Origin] = [:]
    /// The prefix of the engine's archive names, which precedes the voice's name.
    package var archivePrefix: String?
    package var description: Description?

    /// Returns these hints merged with those of a later registry. The later values take precedence.
    func overridden(by other: EngineHints) -> EngineHints {
        EngineHints(
            absent: other.absent ?? absent, isFirst: other.isFirst ?? isFirst,
            endings: endings.merging(other.endings) { $1 }, signs: signs.merging(other.signs) { $1 },
            voices: other.voices.isEmpty ? voices : other.voices, origins: origins.merging(other.origins) { $1 },
            archivePrefix: other.archivePrefix ?? archivePrefix, description: other.description ?? description)
    }
}

/// An engine's entry in `models.json`. Nested keys are written with dots: "language.code".
struct EngineDocument: Codable {
    var absent: String?
    var first: Bool?
    var endings: [String: String]?
    var signs: [String: String]?
    var voices: [String]?
    var origins: [String: EngineHints.Origin]?
    var archivePrefix: String?
    /// Read by `EngineNote`.
    var fallback: Int?
    /// The gain of the built-in voices. Read by `EngineNote`.
    var gain: Double?
    /// Exceptions to `gain` for individual voices. Read by `EngineNote`.
    var gains: [String: Double]?
    var description: DescriptionDocument?

    var problem: RegistryProblem? {
        for (role, ending) in (endings ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard FileName.isRole(role) else { return .badRole(role) }
            guard ending.hasPrefix("."), FileName.isSafe("a" + ending), UserChosenName.isOneLine(ending) else {
                return .badEnding(ending)
            }
        }
        for (role, sign) in (signs ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard FileName.isRole(role) else { return .badRole(role) }
            guard !sign.isEmpty else { return .emptySign(role: role) }
        }
        for ending in voices ?? [] {
            guard ending.hasPrefix("."), FileName.isSafe("a" + ending), UserChosenName.isOneLine(ending) else {
                return .badEnding(ending)
            }
        }
        for (role, origin) in (origins ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard FileName.isRole(role) else { return .badRole(role) }
            guard FileName.isSafe(origin.file), UserChosenName.isOneLine(origin.file),
                UserChosenName.isOneLine(origin.from)
            else {
                return .badOrigin(origin.file)
            }
        }
        guard let archivePrefix else { return nil }
        return FileName.isSafe(archivePrefix) && UserChosenName.isOneLine(archivePrefix)
            ? nil : .badPrefix(archivePrefix)
    }

    var hints: EngineHints {
        EngineHints(
            absent: absent, isFirst: first, endings: endings ?? [:], signs: signs ?? [:],
            voices: voices ?? [], origins: origins ?? [:], archivePrefix: archivePrefix,
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
