import System

/// The time that a machine is expected to take for a second of a voice's speech.
package struct PaceEstimate: Hashable, Sendable {
    /// In seconds.
    package let realTimeFactor: Double

    /// Allows for errors of the estimate and for other programs.
    private static let margin = 1.25

    package init(realTimeFactor: Double) { self.realTimeFactor = realTimeFactor }

    /// Whether speech has no gaps.
    package var keepsUp: Bool { realTimeFactor * Self.margin <= 1 }

    /// Words to follow the voice's name in a sentence; nil if it keeps up.
    package var words: String? {
        if keepsUp { return nil }
        let tenths = (realTimeFactor * 10).rounded()
        if tenths <= 10 { return "would hardly keep up with its own speech on this machine" }
        let factor =
            tenths < 100 && tenths.truncatingRemainder(dividingBy: 10) != 0
            ? "\(tenths / 10)" : "\(Int(clamping: min(realTimeFactor.rounded(), 1_000_000)))"
        return "would be about \(factor) times slower on this machine than it speaks"
    }
}
