import EngineKit
import Glibc
import SynthSymbols

/// A run's pitch curve: factors at points, with log-linear interpolation between them.
///
/// The compute core applies the factor to each frame's fundamental frequency, so the formants do not change.
struct PitchCurve: Equatable, Sendable {
    struct Point: Equatable, Sendable {
        /// The index of a 12.5 ms frame of the run.
        var frame: Int
        /// A factor for the fundamental frequency, above 0.
        var factor: Float
    }

    enum Form: Equatable {
        /// A constant factor of 1.
        case level
        case factors([Float])
    }

    /// The points, ordered by frame. The factor is constant before the first point and after the last. Two points at the same
    /// frame form a step.
    var points: [Point] = []

    static let level = PitchCurve()

    func form(frames count: Int) -> Form {
        guard let first = points.first, let last = points.last, points.contains(where: { $0.factor != 1 }) else {
            return .level
        }
        var factors = [Float](repeating: last.factor, count: count)
        for frame in 0..<min(max(first.frame, 0), count) { factors[frame] = first.factor }
        for (start, end) in zip(points, points.dropFirst()) where end.frame > start.frame {
            for frame in max(start.frame, 0)..<max(min(end.frame, count), max(start.frame, 0)) {
                let share = Float(frame - start.frame) / Float(end.frame - start.frame)
                factors[frame] = start.factor * powf(end.factor / start.factor, share)
            }
        }
        return .factors(factors)
    }
}

/// The text and audio positions of a run's words, for converting a request's pitch points to frames.
struct PitchPositions {
    private struct Word {
        var bytes: Range<Int>
        /// The word's samples in the run, including half the space on either side.
        var samples: Range<Int>
    }

    /// The words in order, without overlap.
    private var words: [Word] = []

    /// - Parameter times: The run's token times, before any audio is trimmed.
    init(_ chunk: Chunk, _ times: TokenTimes) {
        var (byte, sample) = (0, 0)
        for word in chunk.words {
            let (bytes, samples) = (word.bytes, times.frames(of: word.symbols))
            // All words of a phoneme block share the block's position.
            guard bytes.upperBound > byte, samples.upperBound > sample else { continue }
            words.append(
                Word(
                    bytes: max(bytes.lowerBound, byte)..<bytes.upperBound,
                    samples: max(samples.lowerBound, sample)..<samples.upperBound))
            (byte, sample) = (bytes.upperBound, samples.upperBound)
        }
    }

    /// The run's curve. The pitch is constant before the first word and after the last.
    ///
    /// - Returns: `nil` if no word has a position.
    func curve(_ points: [PitchPoint]) -> PitchCurve? {
        guard let first = words.first, let last = words.last else { return nil }
        let span = first.bytes.lowerBound...last.bytes.upperBound
        var curve: [PitchCurve.Point] = []
        func add(_ offset: Int, _ factor: Float) {
            let frame = (Float(sample(at: offset)) / Float(HibariRun.frameLength)).rounded()
            curve.append(PitchCurve.Point(frame: Int(frame), factor: factor))
        }
        add(span.lowerBound, Self.factor(at: span.lowerBound, points))
        for point in points where point.textOffset > span.lowerBound && point.textOffset <= span.upperBound {
            add(point.textOffset, point.factor)
        }
        if points.last.map({ $0.textOffset > span.upperBound }) == true {
            add(span.upperBound, Self.factor(at: span.upperBound, points))
        }
        return PitchCurve(points: curve)
    }

    /// Returns the sample at a text position. Between words, this is the start of the next word.
    private func sample(at offset: Int) -> Int {
        guard let word = words.first(where: { $0.bytes.upperBound > offset }) else {
            return words.last?.samples.upperBound ?? 0
        }
        guard word.bytes.lowerBound < offset else { return word.samples.lowerBound }
        return word.samples.lowerBound + word.samples.count * (offset - word.bytes.lowerBound) / word.bytes.count
    }

    /// Returns the factor at an edge of the run, interpolated by text position instead of time.
    private static func factor(at offset: Int, _ points: [PitchPoint]) -> Float {
        guard let before = points.last(where: { $0.textOffset <= offset }) else { return points.first?.factor ?? 1 }
        guard let after = points.first(where: { $0.textOffset > offset }) else { return before.factor }
        let share = Float(offset - before.textOffset) / Float(after.textOffset - before.textOffset)
        return before.factor * powf(after.factor / before.factor, share)
    }
}
