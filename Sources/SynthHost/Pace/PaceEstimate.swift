import System

/// How long a machine is expected to take for a second of a voice's speech.
package struct PaceEstimate: Hashable, Sendable {
    /// In seconds.
    package let realTimeFactor: Double

    /// What an estimate may be wrong by, and what other programs need.
    private static let margin = 1.25

    package init(realTimeFactor: Double) { self.realTimeFactor = realTimeFactor }

    /// Whether it speaks without pauses in between.
    package var keepsUp: Bool { realTimeFactor * Self.margin <= 1 }

    /// To follow the voice's name in a sentence; nil if it keeps up.
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
