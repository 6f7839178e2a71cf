/// Phrases that several messages share.
package enum Wording {
    /// " Did you mean "a" or "b"?", to append to a sentence; empty if there is no suggestion.
    package static func suggestion(_ near: [String]) -> String {
        near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }

    /// The first eight names, followed by the number of omitted names.
    package static func few(_ names: [String]) -> String {
        let most = 8
        let rest = names.count - most
        return names.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The first twelve names, with an ellipsis if there are more.
    package static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return names.count > 12 ? shown + ", …" : shown
    }

    /// "a, b or c"
    package static func either(_ names: [String]) -> String { joined(names, by: "or") }

    /// "a, b and c"
    package static func all(_ names: [String]) -> String { joined(names, by: "and") }

    /// A sentence from a library, an engine or a server, without its final period.
    package static func clause(_ sentence: String) -> String {
        sentence.isEmpty ? "no reason was given" : sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static func joined(_ names: [String], by word: String) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }

    /// A path quoted for a shell. It is always quoted, so that its end is visible.
    package static func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
