package import VoiceCatalogue

/// Which voice to offer somebody first on this machine.
package struct VoiceAdvice: Sendable {
    package let voice: Voice
    /// The voice that would have come first if the machine were faster, and how slow it would be. It is `voice` itself
    /// where no other is quicker.
    package let slower: (voice: Voice, estimate: PaceEstimate)?

    /// - Parameters:
    ///   - offers: the best first.
    ///   - pace: nil = not known; then the best is advised.
    package init?(_ offers: [Voice], pace: MachinePace?) {
        guard let best = offers.first else { return nil }
        guard let estimate = Self.estimate(best, pace), !estimate.keepsUp else {
            voice = best
            slower = nil
            return
        }
        // Another language is no way out.
        let language = best.language.prefix { $0 != "-" }
        let others = offers.filter { $0.speaks(String(language)) && $0.cost != nil }
        let quickest = others.min { ($0.cost ?? 0) < ($1.cost ?? 0) }
        voice = others.first { Self.estimate($0, pace)?.keepsUp == true } ?? quickest ?? best
        slower = (best, estimate)
    }

    private static func estimate(_ voice: Voice, _ pace: MachinePace?) -> PaceEstimate? {
        guard let pace, let cost = voice.cost else { return nil }
        return pace.estimate(cost: cost)
    }
}
