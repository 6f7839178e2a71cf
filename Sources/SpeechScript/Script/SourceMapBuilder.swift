/// A source map on its way: stretches of a text, one after the other, with their places.
struct SourceMapBuilder: Sendable {
    private var segments: [SourceMap.Segment] = []

    var map: SourceMap { SourceMap(segments: segments) }

    mutating func reserve(_ count: Int) { segments.reserveCapacity(count) }

    /// - Parameter text: begins where the one before ended.
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
