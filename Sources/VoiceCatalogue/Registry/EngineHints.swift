/// Facts about an engine from a registry, which the engine does not give itself.
package struct EngineHints: Sendable, Hashable {
    /// The keys of name, language and speakers in the JSON file of a model.
    package struct Description: Sendable, Hashable {
        package var name: [String]
        /// The first key that exists counts.
        package var language: [[String]]
        /// An object of numbers by name.
        package var speakers: [String]

        package init(name: [String] = [], language: [[String]] = [], speakers: [String] = []) {
            self.name = name
            self.language = language
            self.speakers = speakers
        }
    }

    /// What to do if the engine is not installed.
    package var absent: String?
    /// It is the default engine.
    package var isFirst: Bool?
    /// The usual extension of a role's file: ".onnx". Others end with the name of the role.
    package var endings: [String: String]
    /// What every file of a role has in it, whatever it is called: the bytes of this text.
    package var signs: [String: String]
    /// The prefix of its archives' names, before the name of the voice.
    package var archivePrefix: String?
    package var description: Description?

    package init(
        absent: String? = nil, isFirst: Bool? = nil, endings: [String: String] = [:], signs: [String: String] = [:],
        archivePrefix: String? = nil, description: Description? = nil
    ) {
        self.absent = absent
        self.isFirst = isFirst
        self.endings = endings
        self.signs = signs
        self.archivePrefix = archivePrefix
        self.description = description
    }

    /// The hints with the values of a later registry added, or replaced.
    func overridden(by other: EngineHints) -> EngineHints {
        EngineHints(
            absent: other.absent ?? absent, isFirst: other.isFirst ?? isFirst,
            endings: endings.merging(other.endings) { $1 }, signs: signs.merging(other.signs) { $1 },
            archivePrefix: other.archivePrefix ?? archivePrefix, description: other.description ?? description)
    }
}
