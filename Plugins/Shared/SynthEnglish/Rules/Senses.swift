/// Chooses a heteronym's pronunciation by context, for words whose part of speech is not decisive or often misjudged.
struct Senses: Sendable {
    let rules: WordRules

    /// The surroundings of a word, which the rules examine.
    struct Place {
        let index: Int
        let tokens: [Token]
        let tags: [String]

        func word(_ offset: Int) -> String {
            let at = index + offset
            return tokens.indices.contains(at) ? tokens[at].text.lowercased() : ""
        }

        func tag(_ offset: Int) -> String {
            let at = index + offset
            return tags.indices.contains(at) ? tags[at] : ""
        }

        /// Whether one of the words is within eight words on either side and in the same sentence.
        func isNear(_ words: Set<String>) -> Bool {
            for step in [-1, 1] {
                for distance in 1...8 {
                    let word = word(step * distance)
                    if Self.ends.contains(word) { break }
                    if words.contains(word) { return true }
                }
            }
            return false
        }

        private static let ends: Set<String> = [".", "!", "?", "…"]

        /// The offset at which the clause starts, at most 40 words back.
        var clauseStart: Int {
            var offset = 0
            while offset > -40, index + offset > 0,
                tokens[index + offset - 1].isWord || tokens[index + offset - 1].text == "-"
            {
                offset -= 1
            }
            return offset
        }
    }

    /// - Returns: `nil` if only the part of speech decides.
    func sounds(of word: WordRules.Word, at index: Int, _ tokens: [Token], _ tags: [String]) -> Sounds? {
        let text = word.text.lowercased()
        let place = Place(index: index, tokens: tokens, tags: tags)
        guard tokens[index].text == word.text else { return nil }
        if text == "read" { return ReadTense(place: place).isPast.flatMap { reading(text, $0 ? "VBD" : "VB") } }
        for rule in SenseTable.rules[text] ?? [] where rule.fits(place) {
            return rule.sounds.map { $0[rules.accent == .british ? 1 : 0] } ?? reading(text, rule.tag)
        }
        // "Polish the table": the word is capitalized only because it starts the sentence.
        if word.tag.hasPrefix("VB"), word.text != text, place.clauseStart == 0,
            let entry = rules.list.find(text, isGold: true),
            rules.list.find(word.text, isGold: true) != nil, entry.others.isEmpty
        {
            return entry.reading
        }
        if isVerbAfterPlural(word, place) || isVerbOfQuestion(word, place) { return reading(text, "VB") }
        return nil
    }

    /// The listed reading for a part of speech.
    private func reading(_ word: String, _ tag: String) -> Sounds? {
        guard let entry = rules.gold(word) else { return nil }
        for tag in [tag, WordRules.group(of: tag)] {
            if let found = entry.others.first(where: { $0.tag == tag }) { return found.reading }
        }
        return entry.reading
    }

    private static let nouns: Set<String> = ["NN", "NNS", "NNP", "NNPS"]
    private static let verbs: Set<String> = ["VBD", "VBP", "VBZ", "VB", "MD"]
    private static let afterVerb: Set<String> = ["IN", "RB", "DT", "PRP", "PRP$", "WRB", "TO"]

    private func hasTwoReadings(_ word: WordRules.Word) -> Bool {
        ["NN", "NNP", "JJ", "RB"].contains(word.tag) && rules.gold(word.text)?.others.isEmpty == false
    }

    /// "Metals contract as they cool": after a plural noun, the tagger mistakes a verb for a noun. It is a verb if the clause
    /// has no earlier verb.
    private func isVerbAfterPlural(_ word: WordRules.Word, _ place: Place) -> Bool {
        // "Oil and water separate quickly."
        let isPlural = place.tag(-1) == "NNS" || place.tag(-1) == "NN" && place.word(-2) == "and"
        guard isPlural, hasTwoReadings(word), Self.afterVerb.contains(place.tag(1)) || place.word(1).hasSuffix("thing")
        else { return false }
        return !(place.clauseStart..<0).contains { Self.verbs.contains(place.tag($0)) }
    }

    /// "When do the banks close?"
    private func isVerbOfQuestion(_ word: WordRules.Word, _ place: Place) -> Bool {
        guard Self.nouns.contains(place.tag(-1)) || place.tag(-1) == "PRP", !Self.nouns.contains(place.tag(1)),
            hasTwoReadings(word)
        else { return false }
        let start = place.clauseStart
        guard let asking = (start..<0).first(where: { ["do", "does", "did"].contains(place.word($0)) }),
            asking <= start + 2
        else { return false }
        return !(asking + 1..<0).contains { Self.verbs.contains(place.tag($0)) }
    }
}

/// Determines whether "read" is in the past tense.
private struct ReadTense {
    let place: Senses.Place

    private static let before: Set<String> = [
        "to", "will", "'ll", "would", "can", "could", "should", "must", "may", "might", "do", "does", "did", "let",
        "please", "shall",
        "cannot",
    ]
    private static let having: Set<String> = ["have", "has", "had", "having", "'ve"]
    private static let being: Set<String> = ["was", "were", "been", "being", "is", "are", "be", "get", "got", "gets"]
    private static let habit: Set<String> = [
        "every", "always", "often", "usually", "sometimes", "never", "daily", "nowadays", "regularly", "rarely",
        "seldom",
    ]
    private static let past: Set<String> = [
        "yesterday", "last", "ago", "once", "before", "after", "when", "until", "was", "were", "had", "did", "then",
        "recently",
    ]
    private static let many: Set<String> = ["i", "you", "we", "they"]

    /// `nil` if the word is not a verb.
    var isPast: Bool? {
        let tag = place.tag(0)
        if tag.hasPrefix("NN") { return false }
        var offset = -1
        // Adverbs and the subject of a question may come in between: "have you read", "had never read".
        while offset >= -3 {
            let word = place.word(offset)
            if Self.having.contains(word) { return true }
            if word == "'d" { return place.tag(offset) != "MD" }
            if Self.being.contains(word) { return offset == -1 || place.tag(offset + 1).hasPrefix("RB") }
            if Self.before.contains(word) { return false }
            guard place.tag(offset).hasPrefix("RB") || place.tag(offset) == "PRP" || word == "n't" else { break }
            offset -= 1
        }
        if place.clauseStart == 0, place.tag(1) != "IN" { return false }
        // "Can the machine read my handwriting?"
        let first = place.clauseStart
        if first < -1, place.tag(first) == "MD" || ["do", "does", "did"].contains(place.word(first)) {
            return (first + 1..<0).contains { place.tag($0).hasPrefix("VB") } ? nil : false
        }
        guard tag.hasPrefix("VB") else { return tag == "JJ" ? true : nil }
        let subject = place.word(-1)
        if Self.many.contains(subject) || place.tag(-1) == "NNS" || place.tag(-1).hasPrefix("RB") && tag != "VBD" {
            if place.isNear(Self.habit) { return tag == "VBD" && place.isNear(Self.past) }
            if place.isNear(Self.past) { return true }
        }
        return tag == "VBD" || tag == "VBN"
    }
}
