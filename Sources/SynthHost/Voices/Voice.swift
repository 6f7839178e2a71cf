package import EngineWire

/// A voice that an engine speaks with.
package struct Voice: Hashable, Sendable {
    /// The engine's id.
    package var engine: String
    package var description: VoiceDescription

    package init(engine: String, description: VoiceDescription) {
        self.engine = engine
        self.description = description
    }

    /// What people call it, told apart from others of its name: "English (America)".
    package var title: String {
        description.accent.map { "\(description.name) (\($0))" } ?? description.name
    }
}

extension Voice {
    /// Whether it speaks the language of a BCP-47 tag, or a variety of it.
    package func speaks(_ language: String) -> Bool { VoiceMatch.covers(language, description.language) }
}
