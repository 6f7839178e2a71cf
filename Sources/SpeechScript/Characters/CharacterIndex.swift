/// Counts the characters (Unicode scalars) before any byte of a document, in constant time.
package final class CharacterIndex: Sendable, Equatable {
    private let document: [UInt8]
    /// The characters before each block.
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

    /// - Parameter byte: an offset in the document; beyond its end counts as the end.
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
