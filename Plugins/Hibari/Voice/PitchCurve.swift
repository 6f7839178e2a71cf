import EngineKit
import Glibc
import SynthSymbols

/// A pitch change over a run: factors at points, with log-linear interpolation between them.
///
/// The compute core multiplies the fundamental frequency of each frame, so the formants do not change.
struct PitchCurve: Equatable, Sendable {
    struct Point: Equatable, Sendable {
        /// A frame of 12.5 ms, counted from the start of the run.
        var frame: Int
        /// A factor on the fundamental frequency; above 0.
        var factor: Float
    }

    enum Form: Equatable {
        /// The pitch does not change.
        case level
        case factors([Float])
    }

    /// The points, ordered by frame. The factor is constant before the first point and after the last. Two points at the same
    /// frame form a step.
    var points: [Point] = []

    static let level = PitchCurve()

    /// The curve as one factor per frame.
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

/// The positions of a run's words in the text and in the audio, for converting pitch points of a request to frames.
struct PitchPositions {
    private struct Word {
        var bytes: Range<Int>
        /// The word's samples in the run, with half of the space on either side.
        var samples: Range<Int>
    }

    /// The words in order; they do not overlap.
    private var words: [Word] = []

    /// - Parameter times: The run's token times before any audio is trimmed.
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

    /// The curve of the run. The pitch is constant before the first word and after the last.
    ///
    /// - Returns: `nil` if no word has a position.
    func curve(_ points: [PitchPoint]) -> PitchCurve? {
        guard let first = words.first, let last = words.last else { return nil }
        let span = first.bytes.lowerBound...last.bytes.upperBound
        var curve: [PitchCurve.Point] = []
        func add(_ offset: Int, _ factor: Float) {
            let frame = (Float(sample(at: offset)) / Float(VoiceRun.frameLength)).rounded()
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

    /// The sample at a text position; between two words, the start of the second.
    private func sample(at offset: Int) -> Int {
        guard let word = words.first(where: { $0.bytes.upperBound > offset }) else {
            return words.last?.samples.upperBound ?? 0
        }
        guard word.bytes.lowerBound < offset else { return word.samples.lowerBound }
        return word.samples.lowerBound + word.samples.count * (offset - word.bytes.lowerBound) / word.bytes.count
    }

    /// The factor at the edge of a run, interpolated by text position instead of time.
    private static func factor(at offset: Int, _ points: [PitchPoint]) -> Float {
        guard let before = points.last(where: { $0.textOffset <= offset }) else { return points.first?.factor ?? 1 }
        guard let after = points.first(where: { $0.textOffset > offset }) else { return before.factor }
        let share = Float(offset - before.textOffset) / Float(after.textOffset - before.textOffset)
        return before.factor * powf(after.factor / before.factor, share)
    }
}
