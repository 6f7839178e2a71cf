/// A voice, and which of its speakers; or several voices of one model that speak as one.
package struct VoiceChoice: Hashable, Sendable {
    /// The only one, or the one that was named first.
    package let lead: VoiceShare
    /// The other voices of a blend.
    package let others: [VoiceShare]

    package init(voice: Voice, speaker: String? = nil) {
        lead = VoiceShare(voice: voice, speaker: speaker)
        others = []
    }

    /// Voices that were named with weights above 0, which are brought to the sum of 1.
    init(_ lead: VoiceShare, _ others: [VoiceShare]) {
        let sum = others.reduce(lead.weight) { $0 + $1.weight }
        func normalised(_ share: VoiceShare) -> VoiceShare {
            VoiceShare(voice: share.voice, speaker: share.speaker, weight: others.isEmpty ? 1 : share.weight / sum)
        }
        self.lead = normalised(lead)
        self.others = others.map(normalised)
    }

    package var shares: [VoiceShare] { [lead] + others }
    package var voice: Voice { lead.voice }
    package var speaker: String? { lead.speaker }
    package var isBlend: Bool { !others.isEmpty }

    /// What people call it: "English (America), f3", or "70 % Heart (American) + 30 % Emma (British)".
    package var title: String {
        guard isBlend else { return lead.title }
        if shares.allSatisfy({ $0.weight == lead.weight }) { return shares.map(\.title).joined(separator: " + ") }
        return shares.map { "\(Self.percentage($0.weight)) \($0.title)" }.joined(separator: " + ")
    }

    private static func percentage(_ weight: Double) -> String {
        let tenths = Int((weight * 1000).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
