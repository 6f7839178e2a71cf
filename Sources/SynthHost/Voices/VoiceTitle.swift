package import ModelStore

extension Voice {
    /// What people call it, told apart from others of its name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// Whether it speaks the language of a BCP-47 tag, or a variety of it.
    package func speaks(_ language: String) -> Bool { VoiceMatch.covers(language, self.language) }
}
