/// Text that is put together from pieces of a document, each of which keeps its place.
package struct MappedText: Sendable {
    private var bytes: [UInt8] = []
    private var segments: [SourceMap.Segment] = []

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }
    /// In UTF-8 bytes.
    package var count: Int { bytes.count }
    /// The last byte, if there is one.
    package var last: UInt8? { bytes.last }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var source: SourceMap { SourceMap(segments: segments) }

    /// Bytes that the document holds as they are.
    package mutating func append(copied range: Range<Int>, of document: Span<UInt8>) {
        guard !range.isEmpty else { return }
        add(bytes.count..<bytes.count + range.count, range)
        for index in range { bytes.append(document[index]) }
    }

    /// Text that stands for something else in the document, such as a character reference.
    package mutating func append(_ text: String, for range: Range<Int>) {
        append(Array(text.utf8), for: range)
    }

    /// The same for bytes, which are whole characters.
    package mutating func append(_ text: [UInt8], for range: Range<Int>) {
        guard !text.isEmpty else { return }
        add(bytes.count..<bytes.count + text.count, range)
        bytes += text
    }

    /// A range of another such text, with its places.
    package mutating func append(_ range: Range<Int>, of text: Span<UInt8>, from source: SourceMap) {
        let shift = bytes.count - range.lowerBound
        for segment in source.segments(of: range) {
            add(segment.text.lowerBound + shift..<segment.text.upperBound + shift, segment.source)
        }
        for index in range { bytes.append(text[index]) }
    }

    private mutating func add(_ text: Range<Int>, _ source: Range<Int>) {
        if let last = segments.last, last.text.count == last.source.count, text.count == source.count,
            last.source.upperBound == source.lowerBound
        {
            segments[segments.count - 1] = .init(
                text: last.text.lowerBound..<text.upperBound, source: last.source.lowerBound..<source.upperBound)
        } else {
            segments.append(.init(text: text, source: source))
        }
    }
}
