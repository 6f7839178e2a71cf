import SynthScript

/// The script formats. Every document is read in each format.
package enum ScriptForm: CaseIterable, Sendable {
    case ssml
    case tokens
    case markdown
    case markdownTokens

    /// Returns the rules that this format's reader violates for a document; empty if there are none.
    package func violations(in document: [UInt8]) -> [String] {
        switch Result(catching: { () throws(ScriptError) in try parts(of: document) }) {
        case .success(let parts): return ScriptInvariants.violations(of: parts, in: document)
        case .failure(let error):
            let place = error.place
            let isRight = place == ScriptPosition(of: place.offset, in: document.span)
            return isRight && place.offset >= 0 ? [] : ["an error at \(place)"]
        }
    }

    private func parts(of document: [UInt8]) throws(ScriptError) -> [ScriptPart] {
        switch self {
        case .ssml: try SSMLScript(document).rest()
        case .tokens: try TokenScript(document).rest()
        case .markdown: try markdown(document, tokens: false)
        case .markdownTokens: try markdown(document, tokens: true)
        }
    }

    private func markdown(_ document: [UInt8], tokens: Bool) throws(ScriptError) -> [ScriptPart] {
        do {
            return try MarkdownScript(document, tokens: tokens).rest()
        } catch {
            if case .libraryNotLoaded = error.reason { return [] }
            throw error
        }
    }
}
