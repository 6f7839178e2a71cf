import SynthSystem

/// Maps byte ranges of an utterance's text to the document.
package struct SourceMap: Sendable, Equatable {
    /// A text range and its document range. If both ranges have the same length and `isWhole` is false, they correspond
    /// byte by byte. Otherwise (for example, for a character reference or a substitution), they correspond only as a
    /// unit.
    package struct Segment: Sendable, Equatable {
        package let text: Range<Int>
        package let source: Range<Int>
        /// Whether the ranges correspond only as a unit, even if they have the same length.
        package var isWhole = false

        /// Whether the ranges correspond byte by byte.
        var isCopy: Bool { !isWhole && text.count == source.count }
    }

    private enum Form: Sendable, Equatable {
        case shifted(by: Int)
        case segments([Segment])
    }

    private let form: Form

    /// Creates a map for text that is identical to the document starting at `offset`.
    package init(offset: Int) {
        form = .shifted(by: offset)
    }

    /// Creates a map for text assembled from several ranges. The segments must be in text order, without gaps.
    package init(segments: [Segment]) {
        form = .segments(segments)
    }

    /// Returns the smallest document range that covers `range`, which is in UTF-8 bytes of the text. An empty range
    /// maps to an empty range at the corresponding position.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        switch form {
        case .shifted(let offset): return range.shifted(by: offset)
        case .segments(let segments):
            guard let lower = Self.place(of: range.lowerBound, in: segments) else { return 0..<0 }
            guard !range.isEmpty, let last = Self.place(of: range.upperBound - 1, in: segments) else {
                return lower.lowerBound..<lower.lowerBound
            }
            return min(lower.lowerBound, last.lowerBound)..<max(lower.upperBound, last.upperBound)
        }
    }

    /// Calls `body` for each segment in a range of the text, with offsets relative to the start of the text. A segment
    /// that corresponds to its source only as a unit keeps its full source range, even if only part of it is in the
    /// range.
    func forEachSegment(of range: Range<Int>, _ body: (Segment) -> Void) {
        guard !range.isEmpty else { return }
        switch form {
        case .shifted(let offset): body(Segment(text: range, source: range.shifted(by: offset)))
        case .segments(let segments):
            for index in Self.index(of: range.lowerBound, in: segments)..<segments.count {
                let segment = segments[index]
                guard segment.text.lowerBound < range.upperBound else { return }
                let text = segment.text.clamped(to: range)
                guard segment.isCopy else {
                    body(Segment(text: text, source: segment.source, isWhole: segment.isWhole))
                    continue
                }
                let start = segment.source.lowerBound + text.lowerBound - segment.text.lowerBound
                body(Segment(text: text, source: start..<start + text.count))
            }
        }
    }

    private static func place(of offset: Int, in segments: [Segment]) -> Range<Int>? {
        let index = index(of: offset, in: segments)
        guard index < segments.count else { return segments.last.map { $0.source.upperBound..<$0.source.upperBound } }
        let segment = segments[index]
        guard segment.isCopy else { return segment.source }
        let start = segment.source.lowerBound + max(0, offset - segment.text.lowerBound)
        return start..<min(start + 1, segment.source.upperBound)
    }

    /// Returns the index of the first segment that ends after an offset in the text.
    private static func index(of offset: Int, in segments: [Segment]) -> Int {
        segments.firstSortedIndex { $0.text.upperBound > offset }
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}

/// Builds a source map from consecutive text ranges and their source ranges.
struct SourceMapBuilder: Sendable {
    private var segments: [SourceMap.Segment] = []

    var map: SourceMap { SourceMap(segments: segments) }

    mutating func reserve(_ count: Int) { segments.reserveCapacity(count) }

    /// - Parameter text: must start at the end of the previous range.
    mutating func add(_ text: Range<Int>, _ source: Range<Int>, isWhole: Bool = false) {
        let segment = SourceMap.Segment(text: text, source: source, isWhole: isWhole)
        if let last = segments.last, last.isCopy, segment.isCopy, last.source.upperBound == source.lowerBound {
            segments[segments.count - 1] = .init(
                text: last.text.lowerBound..<text.upperBound, source: last.source.lowerBound..<source.upperBound)
        } else {
            segments.append(segment)
        }
    }
}
