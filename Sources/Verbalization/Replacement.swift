/// A piece of a text, and the words that are said in its place.
package struct Replacement: Equatable, Sendable {
    /// The piece, as offsets of UTF-8 bytes. Both ends are borders of characters of the text.
    package let range: Range<Int>
    /// What is said. May be empty: then nothing is said.
    package let words: String
    /// What the piece was taken for, by the name that the rule's table gives it: "date", "money".
    package let kind: String

    package init(range: Range<Int>, words: String, kind: String) {
        self.range = range
        self.words = words
        self.kind = kind
    }
}

extension [Replacement] {
    /// The text with its replacements in place. They must be in ascending order and without overlaps.
    package func applied(to text: String) -> String {
        let bytes = Array<UInt8>(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var done = 0
        for replacement in self {
            guard replacement.range.lowerBound >= done, replacement.range.upperBound <= bytes.count else { continue }
            result += bytes[done..<replacement.range.lowerBound]
            result += replacement.words.utf8
            done = replacement.range.upperBound
        }
        result += bytes[done...]
        return String(decoding: result, as: UTF8.self)
    }
}
