package import VoiceCatalogue

/// The voice to offer first on this machine.
package struct VoiceAdvice: Sendable {
    package let voice: Voice
    /// The voice that would come first on a faster machine, and its estimated pace here. It is `voice` itself if no
    /// other is faster.
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
        // Only voices of the same language are alternatives.
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
