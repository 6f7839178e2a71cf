/// A chosen voice, with its speaker; or a blend of several voices of one model.
package struct VoiceChoice: Hashable, Sendable {
    /// The only voice, or the first one of a blend.
    package let lead: VoiceShare
    /// The other voices of a blend.
    package let others: [VoiceShare]

    package init(voice: Voice, speaker: String? = nil) {
        lead = VoiceShare(voice: voice, speaker: speaker)
        others = []
    }

    /// Voices with weights above 0, which are normalised to the sum of 1.
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
    /// The one that is heard most; of equal ones the first.
    package var heaviest: VoiceShare { others.reduce(lead) { $1.weight > $0.weight ? $1 : $0 } }
    package var isBlend: Bool { !others.isEmpty }

    /// The name shown to people: "English (America), f3", or "70 % Heart (American) + 30 % Emma (British)".
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
