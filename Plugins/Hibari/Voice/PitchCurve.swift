import EngineKit
import Glibc
import SynthSymbols

/// How the pitch of a run is changed: by factors at points between which the logarithm changes evenly.
///
/// The computing core multiplies the fundamental frequency of each frame, so that formants stay as they are.
struct PitchCurve: Equatable, Sendable {
    struct Point: Equatable, Sendable {
        /// A frame of 12.5 ms, counted from the beginning of the run.
        var frame: Int
        /// On the fundamental frequency; above 0.
        var factor: Float
    }

    enum Form: Equatable {
        /// Nothing is to be done for single frames.
        case level
        case factors([Float])
    }

    /// In order of their frames. Before the first and after the last, the pitch stays as there. Two points of one frame are a step.
    var points: [Point] = []

    static let level = PitchCurve()

    /// One number for each frame.
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

/// The places of a run's words in the text and in its sound, from which the pitch points of a request get their frames.
struct PitchPlaces {
    private struct Word {
        var bytes: Range<Int>
        /// Samples of the run, with half of the space at either side.
        var samples: Range<Int>
    }

    /// In order, without overlaps.
    private var words: [Word] = []

    /// - Parameter times: Those of the run before anything of its sound is cut off.
    init(_ chunk: Chunk, _ times: TokenTimes) {
        var (byte, sample) = (0, 0)
        for word in chunk.words {
            let (bytes, samples) = (word.bytes, times.frames(of: word.symbols))
            // A block of phonemes is the place of each of its words.
            guard bytes.upperBound > byte, samples.upperBound > sample else { continue }
            words.append(
                Word(
                    bytes: max(bytes.lowerBound, byte)..<bytes.upperBound,
                    samples: max(samples.lowerBound, sample)..<samples.upperBound))
            (byte, sample) = (bytes.upperBound, samples.upperBound)
        }
    }

    /// The curve of the run. Before its first word and after its last one, the pitch is as there.
    ///
    /// - Returns: `nil` if no word has a place.
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

    /// Between two words it is where the second one begins.
    private func sample(at offset: Int) -> Int {
        guard let word = words.first(where: { $0.bytes.upperBound > offset }) else {
            return words.last?.samples.upperBound ?? 0
        }
        guard word.bytes.lowerBound < offset else { return word.samples.lowerBound }
        return word.samples.lowerBound + word.samples.count * (offset - word.bytes.lowerBound) / word.bytes.count
    }

    /// The factor at the border of a run, where the text takes the place of time.
    private static func factor(at offset: Int, _ points: [PitchPoint]) -> Float {
        guard let before = points.last(where: { $0.textOffset <= offset }) else { return points.first?.factor ?? 1 }
        guard let after = points.first(where: { $0.textOffset > offset }) else { return before.factor }
        let share = Float(offset - before.textOffset) / Float(after.textOffset - before.textOffset)
        return before.factor * powf(after.factor / before.factor, share)
    }
}
