/// Resolves a blend: a mix of several voices that share a model.
enum VoiceBlend {
    /// The maximum number of voices. In a larger blend, no single voice makes an audible difference.
    static let largest = 8

    /// Resolves the terms to voices. A name after a voice is interpreted as that voice's speaker if such a speaker
    /// exists.
    static func choice(
        _ terms: [BlendTerm], among voices: [Voice], of engines: [VoiceEngine], language: String?,
        without hidden: VoiceNames
    ) throws(VoiceError) -> VoiceChoice {
        // If two engines have an "Emma", choose the engine that can blend its voices.
        for engine in engines where engine.blends {
            let own = voices.filter { $0.engine == engine.id }
            if !own.isEmpty, let choice = try? checked(shares(terms, among: own, engines, language, hidden), engines) {
                return choice
            }
        }
        return try checked(shares(terms, among: voices, engines, language, hidden), engines)
    }

    private static func shares(
        _ terms: [BlendTerm], among voices: [Voice], _ engines: [VoiceEngine], _ language: String?,
        _ hidden: VoiceNames
    ) throws(VoiceError) -> [BlendShare] {
        var shares: [BlendShare] = []
        // Whether the next name may be a speaker of the previous voice. A speaker precedes the voice's weight.
        var isOpen = false
        for term in terms {
            if isOpen, let last = shares.last, let speaker = last.voice.speaker(called: term.name) {
                shares[shares.count - 1].speaker = speaker
                shares[shares.count - 1].weight = term.weight ?? 1
                isOpen = false
                continue
            }
            guard let voice = try VoiceMatch.only(term.name, among: voices, language: language) else {
                throw unknown(term.name, after: isOpen ? shares.last : nil, among: voices, engines, hidden)
            }
            shares.append(BlendShare(voice: voice, weight: term.weight ?? 1))
            isOpen = term.weight == nil
        }
        return shares
    }

    /// The error for an unknown name, which may have been meant as a speaker of the previous voice.
    private static func unknown(
        _ name: String, after share: BlendShare?, among voices: [Voice], _ engines: [VoiceEngine],
        _ hidden: VoiceNames
    ) -> VoiceError {
        if let voice = share?.voice {
            let blends = engines.contains { $0.id == voice.engine && $0.blends }
            if !voice.speakers.isEmpty || !blends {
                return .unknownSpeaker(name, voice: voice.title, speakers: voice.speakers)
            }
        }
        return .unknownVoice(name, near: VoiceMatch.nearest(to: name, among: voices, without: hidden))
    }

    private static func checked(
        _ shares: [BlendShare], _ engines: [VoiceEngine]
    ) throws(VoiceError) -> VoiceChoice {
        guard let lead = shares.first else { throw .noEngine }
        guard shares.count > 1 else { return VoiceChoice(lead, []) }
        guard shares.count <= largest else { throw .largeBlend(shares.count, largest: largest) }
        if let other = shares.first(where: { $0.voice.engine != lead.voice.engine }) {
            throw .blendOfEngines(
                lead.voice.title, lead.voice.engine, other: other.voice.title, otherEngine: other.voice.engine)
        }
        guard let engine = engines.first(where: { $0.id == lead.voice.engine }), engine.blends
        else { throw .noBlends(engine: lead.voice.engine) }
        if let other = shares.first(where: { engine.model(of: $0.voice) != engine.model(of: lead.voice) }) {
            throw .blendOfModels(lead.voice.title, other: other.voice.title)
        }
        return VoiceChoice(lead, Array(shares.dropFirst()))
    }
}

/// One term of "Heart*0.7+Emma*0.3": a name and an optional weight.
struct BlendTerm: Equatable {
    /// A voice, or a speaker of the previous voice.
    var name: String
    /// The weight, a finite number above 0, or nil for the default of 1.
    var weight: Double?

    /// The terms of a blend; nil if the text is just a name.
    static func terms(of text: String) throws(VoiceError) -> [BlendTerm]? {
        guard text.contains(where: { $0 == "+" || $0 == "*" }) else { return nil }
        var terms: [BlendTerm] = []
        for part in text.split(separator: "+", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            guard let name = sides.first, !name.isEmpty else { throw .incompleteBlend(text) }
            guard sides.count > 1 else {
                terms.append(BlendTerm(name: name))
                continue
            }
            guard let weight = weight(sides[1]) else { throw .noWeight(sides[1], voice: name) }
            terms.append(BlendTerm(name: name, weight: weight))
        }
        return terms
    }

    /// Parses decimal digits with at most one decimal point. Swift's own parser would accept additional number formats.
    private static func weight(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let weight = Double(text),
            weight > 0, weight.isFinite
        else { return nil }
        return weight
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(separator: " ").joined(separator: " ")
    }
}
