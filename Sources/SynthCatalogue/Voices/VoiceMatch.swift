/// Finds the voices that match a name or a language.
enum VoiceMatch {
    /// The voice that a name refers to; nil if there is none. If one voice's name is an alias of another engine's
    /// voice, the voice that was installed first is chosen. If neither voice is installed, the voice with the name is
    /// preferred over the voice with the alias.
    ///
    /// - Parameter takesBest: whether to choose the best of several voices that differ only in quality.
    static func only(
        _ name: String, among voices: [Voice], language: String?, takesBest: Bool = true
    ) throws(VoiceError) -> Voice? {
        let wanted = folded(name)
        // The criteria, from strictest to loosest.
        let readings: [(Voice) -> Bool] = [
            { $0.id == name },
            { folded($0.key) == wanted },
            // Without an accent, a voice's title is just its name, which other voices may share.
            { $0.accent != nil && folded($0.title) == wanted },
            { folded($0.name) == wanted || folded($0.id) == wanted },
            { $0.aliases.contains { folded($0) == wanted } },
            { folded($0.language) == wanted },
        ]
        for reading in readings {
            var fitting = voices.filter(reading)
            if fitting.count > 1, let language {
                let ofLanguage = fitting.filter { covers(language, $0.language) }
                if !ofLanguage.isEmpty { fitting = ofLanguage }
            }
            // A voice that its engine does not support does not make a name ambiguous.
            if fitting.contains(where: { $0.unsupported == nil }) { fitting.removeAll { $0.unsupported != nil } }
            if takesBest { fitting = bestOfEach(fitting) }
            if fitting.count > 1 {
                throw .ambiguousVoice(name, candidates: distinct(fitting))
            }
            if let voice = fitting.first { return earlierNamesake(of: voice, called: wanted, among: voices) ?? voice }
        }
        return nil
    }

    /// A voice of another engine that has this voice's name as an alias and was installed earlier.
    private static func earlierNamesake(of voice: Voice, called wanted: String, among voices: [Voice]) -> Voice? {
        guard folded(voice.name) == wanted else { return nil }
        let namesakes = voices.filter { other in
            other.engine != voice.engine && other.aliases.contains { folded($0) == wanted }
                && (other.installed ?? .max) < (voice.installed ?? .max)
        }
        return namesakes.min { ($0.installed ?? .max) < ($1.installed ?? .max) }
    }

    /// Removes all but the best of the voices that differ only in quality.
    private static func bestOfEach(_ voices: [Voice]) -> [Voice] {
        var best: [Voice] = []
        for voice in voices {
            let other = best.firstIndex {
                $0.engine == voice.engine && $0.title == voice.title && $0.language == voice.language
                    && voice.quality != nil && $0.quality != nil && $0.quality != voice.quality
            }
            guard let other else {
                best.append(voice)
                continue
            }
            if isBetter(voice, than: best[other]) { best[other] = voice }
        }
        return best
    }

    private static func isBetter(_ voice: Voice, than other: Voice) -> Bool {
        guard let quality = voice.knownQuality else { return false }
        return other.knownQuality.map { quality > $0 } ?? true
    }

    /// The voice for a BCP 47 tag: a voice with exactly that tag, otherwise a voice with the nearest more general tag, otherwise a voice
    /// with a more specific tag. Other tags of the same language are tried after the tag itself.
    static func best(forLanguage language: String, among voices: [Voice]) -> Voice? {
        for tag in tags(language) {
            if let voice = voices.first(where: { folded($0.id) == tag }) ?? nearest(tag, voices, .spoken).first {
                return voice
            }
        }
        return nil
    }

    /// All voices for a BCP 47 tag, in the order in which to offer them.
    static func offered(forLanguage language: String, among voices: [Voice]) -> [Voice] {
        var offered: [Voice] = []
        var seen: Set<String> = []
        for tag in tags(language) {
            offered += nearest(tag, voices, .offered).filter { seen.insert($0.folder).inserted }
        }
        return offered
    }

    /// A tag and all more general tags, each followed by the equivalent tags of the same language: "zh-cn", "cmn-cn", "zh", "cmn".
    private static func tags(_ language: String) -> [String] {
        let parts = folded(language).split(separator: "-")
        return (0..<parts.count).flatMap { count in
            let tag = parts.dropLast(count).joined(separator: "-")
            return [tag] + RelatedLanguages.tags(for: tag)
        }
    }

    /// Voices with exactly the tag, then voices with more specific tags; each group is sorted by rank.
    private static func nearest(_ tag: String, _ voices: [Voice], _ purpose: MatchRank.Purpose) -> [Voice] {
        let exact = voices.filter { folded($0.language) == tag }
        return ranked(exact, purpose) + ranked(voices.filter { folded($0.language).hasPrefix(tag + "-") }, purpose)
    }

    private static func ranked(_ voices: [Voice], _ purpose: MatchRank.Purpose) -> [Voice] {
        voices.map { (voice: $0, rank: MatchRank($0, purpose)) }.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element.voice)
    }

    /// Normalizes a name for comparison: ignores case, extra spaces, and the difference between `_` and `-`.
    static func folded(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: " ").replacing("_", with: "-")
    }

    static func covers(_ wanted: String, _ language: String) -> Bool {
        let (wanted, language) = (folded(wanted), folded(language))
        return ([wanted] + RelatedLanguages.tags(for: wanted)).contains {
            language == $0 || language.hasPrefix($0 + "-")
        }
    }

    /// Suggestions for an unknown name.
    ///
    /// - Parameter hidden: voices that are not suggested.
    static func nearest(to name: String, among voices: [Voice], without hidden: VoiceNames) -> [String] {
        Suggestions.nearest(to: name, among: names(of: voices.filter { !hidden.contains($0) }))
    }

    /// The names to suggest: each voice's name, or its title if several voices share the name, and its ID.
    private static func names(of voices: [Voice]) -> [String] {
        let shared = Dictionary(voices.map { ($0.name, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
        let names = voices.map { shared[$0.name] == nil ? $0.name : $0.title }
        var seen: Set<String> = []
        return (names + voices.map(\.id)).filter { seen.insert($0.lowercased()).inserted }
    }

    /// A unique name for each voice: the title if no other voice has it, otherwise the ID.
    private static func distinct(_ voices: [Voice]) -> [String] {
        voices.map { voice in
            let sharers = voices.filter { folded($0.title) == folded(voice.title) }
            return voice.accent != nil && sharers.count == 1 ? voice.title : voice.id
        }
    }
}

extension Voice {
    /// Whether the voice's language tag is equal to this BCP 47 tag, or more specific.
    package func speaks(_ language: String) -> Bool { VoiceMatch.covers(language, self.language) }
}

/// The rank of a suitable voice if the query specifies no voice. The voice with the lowest rank is chosen.
struct MatchRank: Comparable {
    enum Purpose {
        /// Offering voices to a new user, starter voices first.
        case offered
        /// Choosing an engine's best voice to speak with, whether or not it is a starter voice.
        case spoken
    }
    private let places: [Int]

    init(_ voice: Voice, _ purpose: Purpose) {
        let start = voice.starter ?? .max
        let qualityRank = Self.qualityRank(voice)
        places =
            [voice.isRecommended ? 0 : 1] + (purpose == .offered ? [start, qualityRank] : [qualityRank, start])
            + [voice.speakers.count > 1 ? 1 : 0]
    }

    static func < (left: MatchRank, right: MatchRank) -> Bool {
        left.places.lexicographicallyPrecedes(right.places)
    }

    /// Whether enough is known about the quality of the voice to offer it to new users.
    static func isOffered(_ voice: Voice) -> Bool {
        voice.unsupported == nil
            && (voice.isRecommended || voice.starter != nil || voice.quality != nil || isGood(voice))
    }

    private static func qualityRank(_ voice: Voice) -> Int {
        if isGood(voice) { return 0 }
        let order = QualityLevel.offered
        return 1 + (voice.knownQuality.flatMap(order.firstIndex) ?? order.count)
    }

    private static func isGood(_ voice: Voice) -> Bool {
        voice.grade?.first.map { $0 == "A" || $0 == "B" } ?? false
    }
}

/// Voice qualities, lowest first. The raw values are the names in the registry.
enum QualityLevel: String, CaseIterable, Comparable {
    case lowest = "x_low"
    case low
    case medium
    case high

    /// The order in which qualities are offered. Voices of the highest quality take several times as long to synthesize
    /// speech that is only slightly better.
    static let offered: [QualityLevel] = [.medium, .high, .low, .lowest]

    static func < (left: QualityLevel, right: QualityLevel) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension Voice {
    /// The quality; nil if it is missing or unknown.
    var knownQuality: QualityLevel? { quality.flatMap(QualityLevel.init) }
}
