import Glibc
import SynthScript

/// How high an utterance is spoken, as a factor of what holds for the whole text.
struct UtterancePitch {
    struct Point: Equatable {
        /// In bytes of the utterance's text.
        var offset: Int
        var factor: Double
    }

    /// Between two points the logarithm changes evenly; two of one offset are a step. Empty = the pitch is `mean` everywhere.
    private(set) var points: [Point] = []
    /// The mean of the logarithm over the text.
    private(set) var mean = 1.0

    init(_ utterance: Utterance) {
        let count = utterance.text.utf8.count
        guard !utterance.pitches.isEmpty || utterance.style.contour != nil, count > 0 else {
            mean = utterance.style.pitch
            return
        }
        let style = utterance.style
        let stretches =
            utterance.pitches.isEmpty
            ? [Utterance.Pitch(offset: 0, factor: style.pitch, contour: style.contour)] : utterance.pitches
        let bytes = Array(utterance.text.utf8)
        for (index, stretch) in stretches.enumerated() {
            let end = index + 1 < stretches.count ? stretches[index + 1].offset : count
            add(stretch, to: end, utterance.source, bytes)
        }
        mean = mean(over: count)
        if let first = points.first, points.allSatisfy({ $0.factor == first.factor }) { points = [] }
    }

    private mutating func add(_ stretch: Utterance.Pitch, to end: Int, _ source: SourceMap, _ bytes: [UInt8]) {
        let range = stretch.offset..<end
        guard !range.isEmpty else { return }
        func add(_ offset: Int, _ factor: Double) {
            let point = Point(offset: offset, factor: stretch.factor * factor)
            if points.last != point { points.append(point) }
        }
        guard let contour = stretch.contour else {
            add(range.lowerBound, 1)
            return add(end, 1)
        }
        let place = source.sourceRange(of: range)
        add(range.lowerBound, contour.factor(at: place.lowerBound))
        for target in contour.targets where points.count < Self.mostPoints {
            let wanted = contour.place(of: target)
            guard wanted > place.lowerBound, wanted < place.upperBound else { continue }
            add(Self.offset(of: wanted, in: range, source, bytes), target.factor)
        }
        add(end, contour.factor(at: place.upperBound))
    }

    /// Of a contour in a text with many.
    private static let mostPoints = 900

    /// The first character of a range of the text that stands for a byte of the document or a later one.
    private static func offset(of place: Int, in range: Range<Int>, _ source: SourceMap, _ bytes: [UInt8]) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if source.sourceRange(of: middle..<middle + 1).lowerBound < place {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < range.upperBound, bytes[low] & 0xC0 == 0x80 { low += 1 }
        return low
    }

    private func mean(over count: Int) -> Double {
        let sum = zip(points, points.dropFirst()).reduce(0) { sum, pair in
            sum + Double(pair.1.offset - pair.0.offset) * (log(pair.0.factor) + log(pair.1.factor)) / 2
        }
        return exp(sum / Double(count))
    }
}
