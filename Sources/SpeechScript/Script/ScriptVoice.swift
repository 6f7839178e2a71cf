/// The voice that a script asks for. At least one is set.
package struct ScriptVoice: Hashable, Sendable {
    /// What people call it, as they would type it after `-v`.
    package var name: String?
    /// BCP-47, as written.
    package var language: String?
    /// "female", "male" or "neutral".
    package var gender: String?

    package init(name: String? = nil, language: String? = nil, gender: String? = nil) {
        self.name = name
        self.language = language
        self.gender = gender
    }
}
