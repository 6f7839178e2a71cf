/// Who speaks a part of a script.
struct ScriptPlayer: Sendable {
    let session: SpeechSession
    /// Whether the voice speaks the language that the part is marked with; its own otherwise.
    let speaksLanguage: Bool
}
