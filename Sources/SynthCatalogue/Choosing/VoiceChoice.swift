/// A chosen voice and speaker, or a blend of several voices of one model.
package struct VoiceChoice: Hashable, Sendable {
    /// The only voice, or the first voice of a blend.
    package let lead: BlendShare
    /// The other voices of a blend.
    package let others: [BlendShare]

    package init(voice: Voice, speaker: String? = nil) {
        lead = BlendShare(voice: voice, speaker: speaker)
        others = []
    }

    /// Creates a choice from voices with weights above 0, which are normalized so that they sum to 1.
    init(_ lead: BlendShare, _ others: [BlendShare]) {
        let sum = others.reduce(lead.weight) { $0 + $1.weight }
        func normalised(_ share: BlendShare) -> BlendShare {
            BlendShare(voice: share.voice, speaker: share.speaker, weight: others.isEmpty ? 1 : share.weight / sum)
        }
        self.lead = normalised(lead)
        self.others = others.map(normalised)
    }

    package var shares: [BlendShare] { [lead] + others }
    package var voice: Voice { lead.voice }
    package var speaker: String? { lead.speaker }
    /// The voice with the highest weight, or the first such voice if there are several.
    package var heaviest: BlendShare { others.reduce(lead) { $1.weight > $0.weight ? $1 : $0 } }
    package var isBlend: Bool { !others.isEmpty }

    /// The display name: "English (America), f3", or "70 % Heart (American) + 30 % Emma (British)".
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

/// A voice in a blend, with its weight.
package struct BlendShare: Hashable, Sendable {
    package var voice: Voice
    /// The speaker; nil for the voice's default speaker.
    package var speaker: String?
    /// The weight, above 0. The weights of a choice sum to 1.
    package var weight = 1.0

    /// The display name: "English (America), f3".
    package var title: String { speaker.map { "\(voice.title), \($0)" } ?? voice.title }
}

/// The criteria for choosing a voice.
package struct VoiceQuery: Equatable, Sendable {
    /// The text that the user typed: a name, a name with its accent, an ID or a language; with `+speaker` for a voice that has
    /// several speakers; or a blend such as "Heart+Bella" or "Heart*0.7+Emma*0.3".
    package var name: String?
    package var speaker: String?
    /// A BCP 47 tag.
    package var language: String?
    /// The ID of the requested engine; only its voices are considered.
    package var engine: String?
    /// The configured engine, which takes precedence if several engines have a matching voice.
    package var preferredEngine: String?
    /// The configured voices, keyed by engine, used if no name is given.
    package var remembered: [String: String]
    /// A BCP 47 tag, used if nothing else is specified.
    package var localeLanguage: String?

    package init(
        name: String? = nil, speaker: String? = nil, language: String? = nil, engine: String? = nil,
        preferredEngine: String? = nil, remembered: [String: String] = [:], localeLanguage: String? = nil
    ) {
        self.name = name
        self.speaker = speaker
        self.language = language
        self.engine = engine
        self.preferredEngine = preferredEngine
        self.remembered = remembered
        self.localeLanguage = localeLanguage
    }
}

/// The engine properties that are needed to choose a voice.
package struct VoiceEngine: Equatable, Sendable, Identifiable {
    /// A voice that the engine itself declares.
    package struct Known: Equatable, Sendable {
        /// The model's ID; nil if the voice shares no model.
        let model: String?
        let needsFiles: Bool

        package init(model: String?, needsFiles: Bool) {
            self.model = model
            self.needsFiles = needsFiles
        }
    }

    package let id: String
    /// Whether this is the default engine.
    package let isFirst: Bool
    /// Whether this is an example engine, which is used only if specified by name.
    package let isExample: Bool
    /// Whether the engine can blend several voices of one model.
    package let blends: Bool
    /// The declared voices, keyed by ID.
    private let known: [String: Known]

    package init(
        id: String, isFirst: Bool = false, isExample: Bool = false, blends: Bool = false, known: [String: Known] = [:]
    ) {
        self.id = id
        self.isFirst = isFirst
        self.isExample = isExample
        self.blends = blends
        self.known = known
    }

    /// Whether the voice needs no files.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool { known[voice.id]?.needsFiles == false }

    /// The ID of the voice's model, which other voices may share; the voice's own ID if it shares no model.
    package func model(of voice: Voice) -> String { voice.model?.id ?? known[voice.id]?.model ?? voice.id }
}
