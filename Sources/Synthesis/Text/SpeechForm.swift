/// How a text says more than its words.
@nonexhaustive
public enum SpeechForm: Hashable, Sendable {
    /// SSML 1.1 of the W3C: breaks, voices, prosody, marks, clips. Malformed documents are errors.
    case ssml
    /// Plain text with tokens in brackets: `[pause:0.5s]`, `[voice:Heart]`, `[mark:name]`, `[sfx:chime]`, `[[ipa]]`.
    case tokens
    /// Markdown: its words without its marks, with pauses after headings and items.
    case markdown
    /// Markdown in which tokens are read.
    case markdownWithTokens
}

extension SpeechForm {
    /// The form that the ending of a file's name means; nil = plain text.
    package init?(path: String) {
        let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "md", "markdown": self = .markdown
        case "ssml": self = .ssml
        default: return nil
        }
    }
}
