import Glibc

/// How the pitch moves while a stretch of a document is spoken.
package struct PitchContour: Equatable, Sendable {
    package struct Target: Equatable, Sendable {
        /// How much of the stretch is spoken before, from 0 to 1.
        package var share: Double
        /// A factor of the pitch that the stretch has otherwise, from 0.1 to 10.
        package var factor: Double

        package init(share: Double, factor: Double) {
            self.share = share
            self.factor = factor
        }
    }

    /// In ascending order; at least one. Before the first and after the last, the pitch is constant.
    package let targets: [Target]
    /// The stretch, in bytes of the document. Its bytes take the place of time.
    package let source: Range<Int>

    /// - Parameter targets: in any order; two of one share are a step.
    package init?(_ targets: [Target], source: Range<Int>) {
        guard !targets.isEmpty else { return nil }
        // The sort is stable.
        self.targets = targets.sorted { $0.share < $1.share }
        self.source = source
    }

    /// The factor at a byte of the document.
    package func factor(at place: Int) -> Double {
        let share = Double(place - source.lowerBound) / Double(max(source.count, 1))
        guard let after = targets.firstIndex(where: { $0.share > share }) else { return targets.last?.factor ?? 1 }
        guard after > 0 else { return targets[0].factor }
        let (first, second) = (targets[after - 1], targets[after])
        let part = (share - first.share) / (second.share - first.share)
        return first.factor * pow(second.factor / first.factor, part)
    }

    /// The byte of the document at which a target is.
    package func place(of target: Target) -> Int {
        source.lowerBound + Int((target.share * Double(source.count)).rounded())
    }
}
