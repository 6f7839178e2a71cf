/// Text assembled from parts of a document, along with its source positions.
package struct MappedText: Sendable {
    private var bytes: [UInt8] = []
    private var places = SourceMapBuilder()

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }
    /// The length in UTF-8 bytes.
    package var count: Int { bytes.count }

    /// The text in UTF-8.
    package var utf8: [UInt8] { bytes }
    /// The last non-white-space character.
    package var lastVisible: Unicode.Scalar? {
        var end = bytes.count
        while end > 0 {
            let start = UTF8Cursor.start(before: end, floor: 0, in: bytes.span)
            let scalar = Unicode.Scalar(UTF8Cursor.scalar(at: start, in: bytes.span).value)
            if let scalar, !scalar.properties.isWhitespace { return scalar }
            end = start
        }
        return nil
    }

    package var hasVisible: Bool { lastVisible != nil }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var source: SourceMap { places.map }

    /// Appends bytes copied from the document.
    package mutating func append(copied range: Range<Int>, of document: Span<UInt8>) {
        guard !range.isEmpty else { return }
        places.add(bytes.count..<bytes.count + range.count, range)
        copy(range, of: document)
    }

    private mutating func copy(_ range: Range<Int>, of text: Span<UInt8>) {
        text.extracting(range).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    mutating func reserve(bytes count: Int, pieces: Int) {
        bytes.reserveCapacity(count)
        places.reserve(pieces)
    }

    /// Appends text that stands for different source text, such as a character reference.
    ///
    /// - Parameter isWhole: whether the text corresponds to the source range only as a unit, even if both have the same
    ///   length.
    package mutating func append(_ text: String, for range: Range<Int>, isWhole: Bool = false) {
        guard !text.isEmpty else { return }
        places.add(bytes.count..<bytes.count + text.utf8.count, range, isWhole: isWhole)
        bytes += text.utf8
    }

    /// Appends text that stands for different source text. The bytes must form complete characters.
    package mutating func append(_ text: [UInt8], for range: Range<Int>) {
        guard !text.isEmpty else { return }
        places.add(bytes.count..<bytes.count + text.count, range)
        bytes += text
    }

    /// Appends a range of another text along with its source positions.
    package mutating func append(_ range: Range<Int>, of text: Span<UInt8>, from source: SourceMap) {
        let shift = bytes.count - range.lowerBound
        source.forEachSegment(of: range) { segment in
            places.add(segment.text.shifted(by: shift), segment.source, isWhole: segment.isWhole)
        }
        copy(range, of: text)
    }

    /// Returns a range of the text along with its source positions. The range must start and end on character
    /// boundaries. A segment that corresponds to its source only as a unit keeps its full source range.
    package func slice(_ range: Range<Int>) -> MappedText {
        var part = MappedText()
        part.append(range, of: bytes.span, from: source)
        return part
    }

    /// Appends other text.
    package mutating func append(_ other: MappedText) {
        append(0..<other.count, of: other.bytes.span, from: other.source)
    }
}
