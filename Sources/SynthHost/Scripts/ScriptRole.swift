import SpeechScript

/// Who speaks a part of a script.
struct ScriptRole: Hashable, Sendable {
    /// nil = the voice that speaks the script.
    var voice: ScriptVoice?
    /// BCP-47; nil = the voice's own.
    var language: String?

    init(voice: ScriptVoice?, language: String? = nil) {
        self.voice = voice
        self.language = language
    }

    init(_ style: ScriptStyle) {
        voice = style.voice
        language = style.language
    }

    /// Each role once, in the order in which they come.
    static func all(in parts: [ScriptPart]) -> [ScriptRole] {
        var seen: Set<ScriptRole> = []
        var rest = Array(parts.reversed())
        var roles: [ScriptRole] = []
        while let part = rest.popLast() {
            switch part {
            case .text(let text):
                let role = ScriptRole(text.style)
                if seen.insert(role).inserted { roles.append(role) }
            case .clip(let clip): rest += clip.alternative.reversed()
            case .silence, .mark, .end: break
            }
        }
        return roles
    }
}
