import Glibc

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
