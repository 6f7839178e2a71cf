package import SpeechScript

/// A script that was read: its parts, and the document that their places are in.
package struct SpokenScript: Sendable {
    package let document: [UInt8]
    package let parts: [ScriptPart]
    /// Whether signs in its text may be left of markup: it is none itself.
    let isPlain: Bool
    /// Of the document.
    let characters: CharacterIndex

    package init(document: [UInt8], parts: [ScriptPart]) {
        self.init(document: document, parts: parts, isPlain: true, CharacterIndex(document))
    }

    private init(document: [UInt8], parts: [ScriptPart], isPlain: Bool, _ characters: CharacterIndex) {
        self.document = document
        self.parts = parts
        self.isPlain = isPlain
        self.characters = characters
    }

    /// Some of its parts.
    package func stretch(_ parts: [ScriptPart]) -> SpokenScript {
        SpokenScript(document: document, parts: parts, isPlain: isPlain, characters)
    }

    /// Reads a document.
    package init(_ document: [UInt8], as form: SpeechForm) throws(SpeechFailure) {
        self.document = document
        isPlain = form == .tokens
        characters = CharacterIndex(document)
        switch form {
        case .ssml: parts = try Self.attempt { () throws(ScriptError) in try SSMLScript(document).parts }
        case .tokens: parts = try Self.attempt { () throws(ScriptError) in try TokenScript.parts(of: document.span) }
        case .markdown: parts = try Self.markdown(document, tokens: false)
        case .markdownWithTokens: parts = try Self.markdown(document, tokens: true)
        }
    }

    /// Whether a pronunciation stands in it without words that could be said instead.
    package var hasBarePhonemes: Bool {
        parts.contains { part in
            if case .text(let text) = part { text.pronunciation?.hasWords == false } else { false }
        }
    }

    private static func attempt(
        _ body: () throws(ScriptError) -> [ScriptPart]
    ) throws(SpeechFailure) -> [ScriptPart] {
        do throws(ScriptError) {
            return try body()
        } catch {
            throw .script(error)
        }
    }

    private static func markdown(_ document: [UInt8], tokens: Bool) throws(SpeechFailure) -> [ScriptPart] {
        do throws(MarkdownError) {
            return try MarkdownScript.parts(of: document.span, tokens: tokens)
        } catch {
            switch error {
            case .script(let error): throw .script(error)
            case .libraryNotLoaded(let library, let reason): throw .libraryNotLoaded(library, reason)
            }
        }
    }
}
