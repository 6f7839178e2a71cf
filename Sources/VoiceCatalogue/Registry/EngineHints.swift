/// What a registry tells of an engine that the engine does not say itself.
package struct EngineHints: Sendable, Hashable {
    /// The keys under which the JSON beside a model says who speaks.
    package struct Description: Sendable, Hashable {
        package var name: [String]
        /// The first that is there counts.
        package var language: [[String]]
        /// An object of numbers by name.
        package var speakers: [String]

        package init(name: [String] = [], language: [[String]] = [], speakers: [String] = []) {
            self.name = name
            self.language = language
            self.speakers = speakers
        }
    }

    /// What to do where the engine is not here.
    package var absent: String?
    /// It speaks as long as nobody chose another.
    package var isFirst: Bool?
    /// How the name of a role's file ends by custom: ".onnx". Others end like their role.
    package var endings: [String: String]
    /// What the names of its archives begin with, before the voice's own.
    package var archivePrefix: String?
    package var description: Description?

    package init(
        absent: String? = nil, isFirst: Bool? = nil, endings: [String: String] = [:], archivePrefix: String? = nil,
        description: Description? = nil
    ) {
        self.absent = absent
        self.isFirst = isFirst
        self.endings = endings
        self.archivePrefix = archivePrefix
        self.description = description
    }

    /// The same with what a later registry says instead, or besides.
    func overridden(by other: EngineHints) -> EngineHints {
        EngineHints(
            absent: other.absent ?? absent, isFirst: other.isFirst ?? isFirst,
            endings: endings.merging(other.endings) { $1 }, archivePrefix: other.archivePrefix ?? archivePrefix,
            description: other.description ?? description)
    }
}
