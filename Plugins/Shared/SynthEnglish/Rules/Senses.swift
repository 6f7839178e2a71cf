/// Chooses the pronunciation of a heteronym by context if its part of speech is often misjudged or does not determine
/// the pronunciation.
struct Senses: Sendable {
    let rules: WordRules

    /// The context that the rules examine around a word.
    struct Context {
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

        /// Whether one of these words occurs in the same sentence, at most eight words away.
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

        /// The offset of the start of the clause, at most 40 words back.
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

    /// - Returns: The phonemes; `nil` if the part of speech alone determines them.
    func sounds(of word: WordRules.Word, at index: Int, _ tokens: [Token], _ tags: [String]) -> Sounds? {
        let text = word.text.lowercased()
        let context = Context(index: index, tokens: tokens, tags: tags)
        guard tokens[index].text == word.text else { return nil }
        if text == "read" { return ReadTense(context: context).isPast.flatMap { reading(text, $0 ? "VBD" : "VB") } }
        for rule in SenseTable.rules[text] ?? [] where rule.fits(context) {
            return rule.sounds.map { $0[rules.accent == .british ? 1 : 0] } ?? reading(text, rule.tag)
        }
        // "Polish the table": the word is capitalized only because it starts the sentence.
        if word.tag.hasPrefix("VB"), word.text != text, context.clauseStart == 0,
            let entry = rules.list.find(text, isGold: true),
            rules.list.find(word.text, isGold: true) != nil, entry.others.isEmpty
        {
            return entry.reading
        }
        if isVerbAfterPlural(word, context) || isVerbOfQuestion(word, context) { return reading(text, "VB") }
        return nil
    }

    /// Returns a word's listed reading for a part of speech.
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

    /// "Metals contract as they cool": after a plural noun, the tagger may mistake a verb for a noun. The word is a verb if
    /// the clause contains no earlier verb.
    private func isVerbAfterPlural(_ word: WordRules.Word, _ context: Context) -> Bool {
        // "Oil and water separate quickly."
        let isPlural = context.tag(-1) == "NNS" || context.tag(-1) == "NN" && context.word(-2) == "and"
        guard isPlural, hasTwoReadings(word),
            Self.afterVerb.contains(context.tag(1)) || context.word(1).hasSuffix("thing")
        else { return false }
        return !(context.clauseStart..<0).contains { Self.verbs.contains(context.tag($0)) }
    }

    /// "When do the banks close?"
    private func isVerbOfQuestion(_ word: WordRules.Word, _ context: Context) -> Bool {
        guard Self.nouns.contains(context.tag(-1)) || context.tag(-1) == "PRP", !Self.nouns.contains(context.tag(1)),
            hasTwoReadings(word)
        else { return false }
        let start = context.clauseStart
        guard let asking = (start..<0).first(where: { ["do", "does", "did"].contains(context.word($0)) }),
            asking <= start + 2
        else { return false }
        return !(asking + 1..<0).contains { Self.verbs.contains(context.tag($0)) }
    }
}

/// Determines whether "read" is in the past tense.
private struct ReadTense {
    let context: Senses.Context

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

    /// Whether the verb is in the past tense; `nil` if the word is not a verb.
    var isPast: Bool? {
        let tag = context.tag(0)
        if tag.hasPrefix("NN") { return false }
        var offset = -1
        // Adverbs and the subject of a question may come between the auxiliary verb and "read": "have you read", "had
        // never read".
        while offset >= -3 {
            let word = context.word(offset)
            if Self.having.contains(word) { return true }
            if word == "'d" { return context.tag(offset) != "MD" }
            if Self.being.contains(word) { return offset == -1 || context.tag(offset + 1).hasPrefix("RB") }
            if Self.before.contains(word) { return false }
            guard context.tag(offset).hasPrefix("RB") || context.tag(offset) == "PRP" || word == "n't" else { break }
            offset -= 1
        }
        if context.clauseStart == 0, context.tag(1) != "IN" { return false }
        // "Can the machine read my handwriting?"
        let first = context.clauseStart
        if first < -1, context.tag(first) == "MD" || ["do", "does", "did"].contains(context.word(first)) {
            return (first + 1..<0).contains { context.tag($0).hasPrefix("VB") } ? nil : false
        }
        guard tag.hasPrefix("VB") else { return tag == "JJ" ? true : nil }
        let subject = context.word(-1)
        if Self.many.contains(subject) || context.tag(-1) == "NNS" || context.tag(-1).hasPrefix("RB") && tag != "VBD" {
            if context.isNear(Self.habit) { return tag == "VBD" && context.isNear(Self.past) }
            if context.isNear(Self.past) { return true }
        }
        return tag == "VBD" || tag == "VBN"
    }
}
