/// The source of a block without the signs of what is around it: what the library reads the block's text from.
struct MarkdownStretch {
    private(set) var bytes: [UInt8] = []
    /// Where pieces of it begin, here and in the document.
    private var pieces: [(here: Int, source: Int)] = []
    private var end: Int

    init(at offset: Int) { end = offset }

    mutating func append(_ range: Range<Int>, of document: Span<UInt8>) {
        guard !range.isEmpty else { return }
        pieces.append((bytes.count, range.lowerBound))
        bytes.reserveCapacity(bytes.count + range.count)
        for index in range { bytes.append(document[index]) }
        end = range.upperBound
    }

    /// The place of a byte in the document, or of the end.
    func source(of index: Int) -> Int {
        guard index < bytes.count else { return end }
        let piece = pieces[piece(of: index)]
        return piece.source + index - piece.here
    }

    /// A range in the document: from its first byte to the one after its last byte.
    func source(of range: Range<Int>) -> Range<Int> {
        let start = source(of: range.lowerBound)
        return range.isEmpty ? start..<start : start..<source(of: range.upperBound - 1) + 1
    }

    /// Copies a range to a text, with its places.
    func copy(_ range: Range<Int>, to text: inout MappedText) {
        guard !range.isEmpty else { return }
        var piece = piece(of: range.lowerBound)
        var start = range.lowerBound
        while start < range.upperBound {
            let border = piece + 1 < pieces.count ? pieces[piece + 1].here : bytes.count
            let stop = min(border, range.upperBound)
            let source = pieces[piece].source + start - pieces[piece].here
            text.append(Array(bytes[start..<stop]), for: source..<source + stop - start)
            start = stop
            piece += 1
        }
    }

    private func piece(of index: Int) -> Int {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].here <= index { low = middle } else { high = middle }
        }
        return low
    }
}
