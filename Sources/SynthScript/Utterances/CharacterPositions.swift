/// Maps the characters (Unicode scalars) of an utterance's text to the document.
package indirect enum CharacterPositions: Sendable, Equatable {
    /// The text is a copy of the document, except that each byte of a control character is replaced with a space.
    ///
    /// - Parameters:
    ///   - first: the number of document characters before the text.
    ///   - hidden: in ascending order, the offsets of all replaced bytes except the first byte of each character.
    case copied(first: Int = 0, hidden: [Int] = [])
    /// The text was assembled from a document.
    case indexed(SourceMap, CharacterIndex)
    /// The text was derived from other text whose positions are known.
    case edited(SourceMap, to: String, CharacterPositions)

    /// Returns the range of document characters for a byte range of `text`, which must be the utterance's text.
    package func range(of range: Range<Int>, in text: String) -> Range<Int> {
        switch self {
        case .copied(let first, let hidden):
            func offset(_ byte: Int) -> Int {
                let starts = text.utf8.prefix(byte).count { !UTF8.isContinuation($0) }
                return first + starts - hidden.prefix { $0 < byte }.count
            }
            let lower = offset(range.lowerBound)
            return lower..<max(lower, offset(range.upperBound))
        case .indexed(let map, let index):
            let source = map.sourceRange(of: range)
            return index.count(before: source.lowerBound)..<index.count(before: source.upperBound)
        case .edited(let map, let original, let positions):
            return positions.range(of: map.sourceRange(of: range), in: original)
        }
    }

    /// Returns the number of document characters before a byte of `text`.
    package func offset(of byte: Int, in text: String) -> Int { range(of: byte..<byte, in: text).lowerBound }
}

/// Counts the characters (Unicode scalars) before any byte of a document in constant time.
package final class CharacterIndex: Sendable, Equatable {
    private let document: [UInt8]
    /// The number of characters before each block.
    private let counts: [Int]

    private static let blockBytes = 1024

    package init(_ document: [UInt8]) {
        self.document = document
        var counts = [0]
        var count = 0
        for start in stride(from: 0, to: document.count, by: Self.blockBytes) {
            count += Self.characters(of: document[start..<min(start + Self.blockBytes, document.count)])
            counts.append(count)
        }
        self.counts = counts
    }

    /// - Parameter byte: a document offset. An offset beyond the end is clamped.
    package func count(before byte: Int) -> Int {
        let end = min(max(byte, 0), document.count)
        let block = end / Self.blockBytes
        return counts[block] + Self.characters(of: document[block * Self.blockBytes..<end])
    }

    package static func == (one: CharacterIndex, other: CharacterIndex) -> Bool { one === other }

    private static func characters(of bytes: ArraySlice<UInt8>) -> Int {
        bytes.count { !UTF8.isContinuation($0) }
    }
}

/// Counts characters (Unicode scalars) in a document in which each byte of a control character is replaced with a
/// space.
struct CharacterCounter: Sendable {
    /// The document offset up to which characters have been counted.
    private var offset = 0
    /// The number of characters before `offset`.
    private var count = 0
    /// The offsets of continuation bytes that were replaced with spaces, in ascending order.
    private var hidden: ArraySlice<Int> = []

    /// Records the changes that a filter made.
    ///
    /// - Parameters:
    ///   - place: the document offset of the first byte.
    ///   - before, after: the bytes before and after filtering.
    mutating func note(at place: Int, before: some Sequence<UInt8>, after: ArraySlice<UInt8>) {
        for (index, (old, new)) in zip(before, after).enumerated()
        where UTF8.isContinuation(old) && !UTF8.isContinuation(new) {
            hidden.append(place + index)
        }
    }

    /// Counts characters up to a document offset.
    ///
    /// - Parameter buffer: the filtered bytes starting at `base`.
    mutating func advance(to end: Int, in buffer: [UInt8], from base: Int) {
        guard end > offset else { return }
        let bytes = buffer[max(0, offset - base)..<min(max(0, end - base), buffer.count)]
        let passed = hidden.prefix { $0 < end }.count
        count += bytes.count { !UTF8.isContinuation($0) } - passed
        hidden = hidden.dropFirst(passed)
        offset = end
    }

    /// Returns the positions for a document range that starts at the current offset.
    func positions(of range: Range<Int>) -> CharacterPositions {
        .copied(first: count, hidden: hidden.prefix { $0 < range.upperBound }.map { $0 - range.lowerBound })
    }
}
