/// The context after a word, which affects the pronunciation of some words.
struct Following {
    /// Whether the next phoneme is a vowel; `nil` before a pause.
    var isVowel: Bool?
    var isTo = false
}

/// Looks up words in the lists according to the rules of misaki 0.9.4, because Kokoro was trained on misaki's symbols.
struct WordRules: Sendable {
    let list: WordList
    let accent: EnglishAccent

    private static let signs = [
        "%": "percent", "&": "and", "+": "plus", "@": "at", "0": "zero", "1": "one", "2": "two", "3": "three",
        "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
    ]

    struct Word {
        var text: String
        /// The word's Penn tag.
        var tag: String
        var following: Following
    }

    /// - Returns: The phonemes and their source; `nil` if neither the word nor its base form is listed.
    func sounds(of word: Word) -> (sounds: Sounds, source: EnglishReading.Source)? {
        let text = word.text
        let isCapital = text != text.lowercased()
        let emphasis: Emphasis? = !isCapital ? nil : text == text.uppercased() ? .loud : .slight
        if let sounds = special(word, emphasis) { return (sounds, .context) }
        var word = word
        if isCapital, isPlain(word) { word.text = text.lowercased() }
        if isKnown(word.text), let sounds = lookUp(word, emphasis) { return (sounds, .list) }
        for (ending, kept) in [("s'", "'s"), ("'", "")] where word.text.hasSuffix(ending) {
            let form = String(word.text.dropLast(ending.count)) + kept
            guard isKnown(form) else { continue }
            word.text = form
            if let sounds = lookUp(word, emphasis) { return (sounds, .list) }
        }
        return inflected(word, emphasis).map { ($0, .inflected) }
    }

    /// Whether a capitalized word is an ordinary word: the lists do not contain it in its capitalized form, and it is
    /// not a short name.
    private func isPlain(_ word: Word) -> Bool {
        let text = word.text
        guard text.count > 1, text.allSatisfy({ $0.isLetter || $0 == "'" }), text.contains(where: \.isLetter),
            word.tag != "NNP" || text.count > 7,
            text == text.uppercased() || text.dropFirst() == text.dropFirst().lowercased(),
            gold(text) == nil, silver(text) == nil
        else { return false }
        var lower = word
        lower.text = text.lowercased()
        return gold(lower.text) != nil || silver(lower.text) != nil || inflected(lower, nil) != nil
    }

    private func inflected(_ word: Word, _ emphasis: Emphasis?) -> Sounds? {
        let endings = Endings(accent: accent)
        for ending in [Endings.Ending.s, .ed, .ing] {
            guard let stem = Endings.stem(of: word.text, ending, isKnown: isKnown) else { continue }
            var base = word
            base.text = stem
            let emphasis = ending == .ing ? emphasis ?? .slight : emphasis
            if let sounds = lookUp(base, emphasis).flatMap({ endings.sounds($0, ending) }) { return sounds }
        }
        return nil
    }

    // MARK: The lists

    func gold(_ word: String) -> WordEntry? { find(word, isGold: true) }
    func silver(_ word: String) -> WordEntry? { find(word, isGold: false) }

    /// Finds a word, ignoring the case of its first letter.
    private func find(_ word: String, isGold: Bool) -> WordEntry? {
        if let entry = list.find(word, isGold: isGold) { return entry }
        guard word.utf8.count > 1 else { return nil }
        let lower = word.lowercased()
        let capital = lower.prefix(1).uppercased() + lower.dropFirst()
        if word == capital { return lower == capital ? nil : list.find(lower, isGold: isGold) }
        return word == lower ? list.find(capital, isGold: isGold) : nil
    }

    func isKnown(_ word: String) -> Bool {
        if gold(word) != nil || Self.signs[word] != nil || silver(word) != nil { return true }
        guard !word.isEmpty, word.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }) else {
            return false
        }
        if word.utf8.count == 1 || word == word.uppercased() && gold(word.lowercased()) != nil { return true }
        // "USA", "iOS"
        return word.utf8.dropFirst().allSatisfy { $0 < 0x61 }
    }

    private func lookUp(_ word: Word, _ emphasis: Emphasis?) -> Sounds? {
        var text = word.text
        var isName = false
        var found = gold(text)
        if found == nil, text == text.uppercased() {
            text = text.lowercased()
            found = gold(text)
            isName = word.tag == "NNP"
        }
        if found == nil, !isName { found = silver(text) }
        guard let entry = found, let reading = reading(of: entry, word), !isName || reading.contains(Stress.main) else {
            return spelled(text)
        }
        return Stress.stressed(reading, emphasis)
    }

    private func reading(of entry: WordEntry, _ word: Word) -> Sounds? {
        guard !entry.others.isEmpty else { return entry.reading }
        func other(_ tag: String) -> Sounds?? { entry.others.first { $0.tag == tag }.map(\.reading) }
        if word.following.isVowel == nil, let reading = other("None") { return reading }
        return other(word.tag) ?? other(Self.group(of: word.tag)) ?? entry.reading
    }

    static func group(of tag: String) -> String {
        if tag.hasPrefix("VB") { return "VERB" }
        if tag.hasPrefix("NN") { return "NOUN" }
        if tag.hasPrefix("RB") || tag.hasPrefix("ADV") { return "ADV" }
        return tag.hasPrefix("JJ") || tag.hasPrefix("ADJ") ? "ADJ" : tag
    }

    /// Returns the phonemes of a word that is spelled out letter by letter.
    func spelled(_ word: String) -> Sounds? {
        var sounds: Sounds = []
        for letter in word where letter.isLetter {
            guard let name = list.find(letter.uppercased(), isGold: true) else { return nil }
            sounds += name.reading
        }
        return sounds.isEmpty ? nil : Stress.spelled(sounds)
    }

    // MARK: Words whose pronunciation depends on the context

    private func special(_ word: Word, _ emphasis: Emphasis?) -> Sounds? {
        let (text, tag, next) = (word.text, word.tag, word.following)
        func sounds(_ text: String) -> Sounds { Array(text.unicodeScalars) }
        if let name = Self.signs[text] { return gold(name)?.reading }
        // "U.S.", "e.g."
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, text.dropLast().contains("."), parts.joined().allSatisfy(\.isLetter),
            parts.allSatisfy({ $0.count < 3 })
        {
            return spelled(text)
        }
        let isLoud = text.count > 1 && text == text.uppercased()
        switch text.lowercased() {
        case "a": return tag == "DT" ? ["ɐ"] : ["ˈ", "A"]
        case "am":
            if tag.hasPrefix("NN") { return spelled(text) }
            return next.isVowel == nil || text != "am" ? gold("am")?.reading : sounds("ɐm")
        case "an": return isLoud && tag.hasPrefix("NN") ? spelled(text) : sounds("ɐn")
        case "i": return text == "I" && tag == "PRP" ? sounds("ˌI") : nil
        case "by": return tag.hasPrefix("RB") ? sounds("bˈI") : nil
        case "to":
            if isLoud, tag != "TO", tag != "IN" { return nil }
            guard let isVowel = next.isVowel else { return gold("to")?.reading }
            return isVowel ? sounds("tʊ") : sounds("tə")
        case "in":
            if isLoud, tag == "NNP" { return nil }
            return next.isVowel == nil || tag != "IN" ? sounds("ˈɪn") : sounds("ɪn")
        case "the":
            if isLoud, tag != "DT" { return nil }
            return next.isVowel == true ? sounds("ði") : sounds("ðə")
        case "vs", "vs.": return tag == "IN" ? gold("versus")?.reading ?? silver("versus")?.reading : nil
        case "used":
            guard let entry = gold("used") else { return nil }
            let isHabit = (tag == "VBD" || tag == "JJ") && next.isTo
            return isHabit ? entry.others.first { $0.tag == "VBD" }.flatMap(\.reading) : entry.reading
        default: return nil
        }
    }
}
