package import SynthScript
import SynthSystem

/// A script that has been parsed once to find errors and collect its requirements. The script is parsed again during
/// synthesis, and only the next few parts are kept in memory, because parts take up many times as much memory as their
/// text.
package struct SpokenScript: Sendable {
    private enum Content: Sendable {
        case document(SpeechForm)
        case parts([ScriptPart])
    }

    package let document: [UInt8]
    /// Whether the script contains a pronunciation without alternative words.
    package let hasBarePhonemes: Bool
    /// Whether the text may contain leftover markup. False if the document itself is markup.
    let isPlain: Bool
    /// Maps byte offsets in the document to characters.
    let characters: CharacterIndex
    /// The deduplicated voices and languages in the script, in order of appearance.
    package let roles: [ScriptRole]
    let hasClips: Bool
    private let content: Content

    package init(document: [UInt8], parts: [ScriptPart]) {
        self.init(document, parts, isPlain: true, CharacterIndex(document))
    }

    private init(_ document: [UInt8], _ parts: [ScriptPart], isPlain: Bool, _ characters: CharacterIndex) {
        var demands = ScriptDemands()
        for part in parts { demands.add(part) }
        self.init(document, .parts(parts), demands, isPlain: isPlain, characters)
    }

    private init(
        _ document: [UInt8], _ content: Content, _ demands: ScriptDemands, isPlain: Bool, _ characters: CharacterIndex
    ) {
        self.document = document
        self.content = content
        self.isPlain = isPlain
        self.characters = characters
        hasBarePhonemes = demands.hasBarePhonemes
        roles = demands.roles
        hasClips = demands.hasClips
    }

    /// Returns a script that contains only the given parts.
    package func stretch(_ parts: [ScriptPart]) -> SpokenScript {
        SpokenScript(document, parts, isPlain: isPlain, characters)
    }

    /// Returns the script with voices assigned to byte ranges.
    ///
    /// - Parameter ranges: the non-overlapping ranges in ascending order.
    package func voiced(by ranges: [SpeakerRange]) throws(SpeechError) -> SpokenScript {
        ranges.isEmpty ? self : stretch(ScriptPart.voiced(try parts(), by: ranges))
    }

    /// Parses the entire document, so that errors are reported before synthesis starts. Blocks.
    package init(_ written: [UInt8], as form: SpeechForm) throws(SpeechError) {
        let document = form == .ssml ? XMLEncoding.decoded(written) : written
        var demands = ScriptDemands()
        var reader = try Self.reader(of: document, as: form)
        while let part = try rethrowing(reader.next(), as: ScriptError.asSpeechError) { demands.add(part) }
        self.init(document, .document(form), demands, isPlain: form == .tokens, CharacterIndex(document))
    }

    /// Returns a reader that starts at the first part.
    package func reader() throws(SpeechError) -> any ScriptReader {
        switch content {
        case .parts(let parts): ScriptPartList(parts)
        case .document(let form): try Self.reader(of: document, as: form)
        }
    }

    /// Returns all parts, which may take up a hundred times as much memory as the document.
    package func parts() throws(SpeechError) -> [ScriptPart] {
        if case .parts(let parts) = content { return parts }
        let reader = try reader()
        return try rethrowing(reader.rest(), as: ScriptError.asSpeechError)
    }

    private static func reader(of document: [UInt8], as form: SpeechForm) throws(SpeechError) -> any ScriptReader {
        do {
            switch form {
            case .ssml: return try SSMLScript(document)
            case .tokens: return try TokenScript(document)
            case .markdown, .markdownWithTokens:
                return try MarkdownScript(document, tokens: form == .markdownWithTokens)
            }
        } catch {
            throw SpeechError(error)
        }
    }
}

/// The requirements of a script, collected while its parts are read.
private struct ScriptDemands {
    private(set) var hasBarePhonemes = false
    private(set) var hasClips = false
    private(set) var roles: [ScriptRole] = []
    private var seen: Set<ScriptRole> = []

    mutating func add(_ part: ScriptPart) {
        switch part {
        case .text(let text) where text.pronunciation?.hasWords == false: hasBarePhonemes = true
        case .clip: hasClips = true
        case .text, .silence, .mark, .end: break
        }
        var rest = [part]
        while let part = rest.popLast() {
            switch part {
            case .text(let text):
                let role = ScriptRole(text.style)
                if seen.insert(role).inserted { roles.append(role) }
            case .clip(let clip): rest += clip.alternative.reversed()
            case .silence, .mark, .end: break
            }
        }
    }
}

/// The format of text to speak.
@nonexhaustive
public enum SpeechForm: Hashable, Sendable {
    /// SSML 1.1 (W3C), with breaks, voices, prosody, marks and clips. Malformed documents cause errors.
    case ssml
    /// Plain text with tokens in brackets: `[pause:0.5s]`, `[voice:Heart]`, `[mark:name]`, `[sfx:chime]` and `[[ipa]]`.
    case tokens
    /// Markdown. The markup is removed, and pauses are added after headings and list items.
    case markdown
    /// Markdown with tokens.
    case markdownWithTokens
}

extension SpeechForm {
    /// Determines the form from a file extension. Returns nil for plain text.
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
