import SynthDocuments

/// Finds the name next to a verb of speaking, as in "said Maria", "Maria asked" and "sagte Frau Klein".
enum SpeakerName {
    /// Finds the speaker in the text after a quotation. Searches only the sentence to which the quotation belongs.
    static func after(_ text: String) -> String? {
        clause(text, isAfter: true).flatMap { speaker($0.words, $0.verb) }
    }

    /// Finds the speaker in the text before a quotation, as in "Maria said: " and "Maria turned and said, ".
    static func before(_ text: String) -> String? {
        introduces(text) ? clause(text, isAfter: false).flatMap { speaker($0.words, $0.verb) } : nil
    }

    /// Whether the text ends with a punctuation mark that introduces a quotation.
    private static func introduces(_ text: String) -> Bool {
        text.last { !$0.isWhitespace }.map { ":,—–".contains($0) } ?? false
    }

    /// Returns the words of the sentence next to a quotation, and the index of its verb of speaking.
    ///
    /// - Parameters:
    ///   - isAfter: whether the text follows the quotation.
    ///   - most: the maximum number of words after a quotation to search for the verb.
    private static func clause(
        _ text: String, isAfter: Bool, most: Int = 6
    ) -> (words: ArraySlice<Word>, verb: Int)? {
        let words = sentence(words(isAfter ? text.prefix(longest) : text.suffix(longest)), fromEnd: !isAfter)
        let verb = isAfter ? words.prefix(most).firstIndex(where: isVerb) : words.lastIndex(where: isVerb)
        return verb.map { (words, $0) }
    }

    /// Finds the speaker within a quotation, as in the French "— Viens, dit Paul."
    static func inside(_ text: String) -> String? {
        for clause in text.prefix(longest * 2).split(separator: ",").dropFirst() {
            let words = sentence(words(clause), fromEnd: false)
            if let first = words.first, isVerb(first), let name = name(words.dropFirst()) { return name }
        }
        return nil
    }

    /// Whether a verb of speaking is among the first three words and before any comma.
    static func beginsWithVerb(_ text: String) -> Bool {
        for word in words(text).prefix(3) {
            if isVerb(word) { return true }
            if word.endsClause { return false }
        }
        return false
    }

    /// A pronoun that refers to the speaker.
    struct Reference: Equatable {
        /// The gender of "he" or "she", or nil for another pronoun.
        var gender: SpeakerGender?
        /// Whether the pronoun is "I", as in "I said".
        var isFirstPerson = false
    }

    /// - Parameter isAfter: whether the text follows a quotation.
    static func reference(_ text: String, isAfter: Bool) -> Reference? {
        guard isAfter || introduces(text), let (words, verb) = clause(text, isAfter: isAfter, most: 8) else {
            return nil
        }
        // The words that may contain the pronoun, as in "he said", "she then asked", "said he" and "dit-il".
        let around = Array(words[..<verb].suffix(4)) + Array(words[(verb + 1)...].prefix(1))
        let own =
            around.first(where: isPronoun)?.text.lowercased()
            ?? words[verb].text.lowercased().split(separator: "-").dropFirst().first.map(String.init)
        guard let own, pronouns.contains(own) else { return nil }
        return Reference(gender: gender(ofPronoun: own), isFirstPerson: firstPersonPronouns.contains(own))
    }

    /// Finds the person who is addressed, as in "he told Maria" and "Maria asked Tom".
    ///
    /// - Parameter isAfter: whether the text follows a quotation.
    static func addressee(_ text: String, isAfter: Bool) -> String? {
        guard let (words, verb) = clause(text, isAfter: isAfter), let subject = words[..<verb].last,
            !subject.endsClause, isName(subject) || isPronoun(subject)
        else { return nil }
        let rest = words[(verb + 1)...].drop { recipients.contains($0.text.lowercased()) }
        return rest.first.map(isName) ?? false ? name(rest) : nil
    }

    private static let firstPersonPronouns = set(LanguageWords.first)

    static func gender(ofPronoun word: String) -> SpeakerGender? {
        male.contains(word) ? .male : female.contains(word) ? .female : nil
    }

    /// Finds a known person who is the subject of a sentence near the end of the text, as in "Tom put down his cup."
    static func subject(of text: String, among known: Set<String>) -> String? {
        subjects(of: text).reversed().lazy.filter { $0.next.text.first?.isLowercase == true }
            .compactMap { person($0.name, among: known) }.first
    }

    /// Returns the names that begin a sentence and are followed by a possible verb, as in "Tom put down his cup."
    /// Returns nothing for languages in which a verb can begin a sentence.
    static func actors(in text: String) -> [String] {
        subjects(of: text).filter { subject in
            isPlain(subject.next) && subject.rest.contains { actions.contains(String($0.text)) }
        }.map(\.name)
    }

    /// Returns the names that begin sentences near the end of the text, each with the next word and the rest of its
    /// sentence. A name before a comma is left out, because the person is being addressed.
    private static func subjects(of text: String) -> [(name: String, next: Word, rest: ArraySlice<Word>)] {
        let words = words(String(text.suffix(2 * longest)))
        var start = 0
        var found: [(name: String, next: Word, rest: ArraySlice<Word>)] = []
        for index in words.indices where words[index].isLast || index == words.count - 1 {
            if let name = name(words[start...index]) {
                let next = start + name.split(separator: " ").count
                if next <= index, !words[next - 1].endsClause { found.append((name, words[next], words[next...index])) }
            }
            start = index + 1
        }
        return found
    }

    /// Whether a word is in lowercase and is not a pronoun, an article or a similar word.
    private static func isPlain(_ word: Word) -> Bool {
        word.text.first?.isLowercase == true && !others.contains(word.text.lowercased()) && !isPronoun(word)
    }

    /// Maps a name to a known one: the same name, or the only known name with the same first or last word.
    private static func person(_ name: String, among known: Set<String>) -> String? {
        if known.contains(name) { return name }
        // The name may end with a known name, as in "Old Mr Harker".
        if let longer = known.first(where: { name.hasSuffix(" " + $0) }) { return longer }
        let fitting = known.filter { other in
            let words = other.split(separator: " ")
            return words.first.map { $0 == name } ?? false || words.last.map { $0 == name } ?? false
        }
        return fitting.count == 1 ? fitting.first : nil
    }

    /// The gender of the pronoun at the beginning of the text.
    static func leadingPronoun(of text: String) -> SpeakerGender? {
        guard let first = words(text.prefix(longest)).first, first.text.first?.isUppercase == true else { return nil }
        let word = first.text.lowercased()
        return leading.contains(word) ? gender(ofPronoun: word) : nil
    }

    /// The maximum number of characters to search.
    private static let longest = 160

    private struct Word {
        let text: Substring
        let isLast: Bool
        /// Whether a comma or similar punctuation follows the word.
        let endsClause: Bool
    }

    private static func words(_ text: some StringProtocol) -> [Word] {
        text.split { $0.isWhitespace || "—–―".contains($0) }.map { raw in
            let word = Substring(raw).trimmingMarks
            let last = raw.last ?? " "
            let ends = ".!?".contains(last) && !titles.contains(word.lowercased())
            return Word(text: word, isLast: ends, endsClause: ends || ",;:".contains(last))
        }.filter { !$0.text.isEmpty }
    }

    private static func sentence(_ words: [Word], fromEnd: Bool) -> ArraySlice<Word> {
        if fromEnd { return words[(words.lastIndex(where: \.isLast).map { $0 + 1 } ?? 0)...] }
        return words[..<(words.firstIndex(where: \.isLast).map { $0 + 1 } ?? words.count)]
    }

    private static func isVerb(_ word: Word) -> Bool {
        let text = word.text.lowercased()
        // A pronoun may be attached to the verb, as in "dit-il" and "disse-lhe".
        return verbs.contains(text) || verbs.contains(String(text.prefix { $0 != "-" }))
    }

    private static func isName(_ word: Word) -> Bool {
        (word.text.first?.isUppercase ?? false) && !others.contains(word.text.lowercased()) && !isPronoun(word)
    }

    private static func isPronoun(_ word: Word) -> Bool { pronouns.contains(word.text.lowercased()) }

    /// Finds the subject of the verb, but not the person addressed, as in "Maria asked John", "asked Maria" and "lui dit Marie".
    private static func speaker(_ words: ArraySlice<Word>, _ verb: Int) -> String? {
        let before = words[..<verb]
        // The subject is a pronoun, as in "she asked John".
        if before.contains(where: isPronoun) { return nil }
        if let last = before.last, isName(last), !last.endsClause {
            let start = before.lastIndex { !isName($0) }.map { $0 + 1 } ?? before.startIndex
            return name(before[start...])
        }
        // Another verb may follow the name, as in "Maria turned and said".
        if let first = before.first, isName(first), let last = before.last, joining.contains(last.text.lowercased()) {
            let name = before.prefix { isName($0) }
            return before.count - name.count <= 5 ? self.name(name) : nil
        }
        let isBare = before.isEmpty || before.count == 1 && before.allSatisfy { $0.text.first?.isLowercase ?? false }
        return isBare ? name(words[(verb + 1)...]) : nil
    }

    /// The name at the beginning of the words.
    private static func name(_ words: ArraySlice<Word>) -> String? {
        var name: [Substring] = []
        for word in words.prefix(4) {
            guard isName(word) else { break }
            name.append(word.text)
            if word.endsClause { break }
        }
        guard let last = name.last, !titles.contains(last.lowercased()), name.count > 1 || last.count > 1 else {
            return nil
        }
        return name.joined(separator: " ").withoutGenitive
    }

    private static let titles = set(LanguageWords.titles)
    private static let joining = set(LanguageWords.joining)
    private static let recipients = set(LanguageWords.recipients)
    private static let pronouns = set(LanguageWords.subjects)
    private static let male = set(LanguageWords.male)
    private static let female = set(LanguageWords.female)
    private static let leading = set(LanguageWords.leading)
    private static let others = set(LanguageWords.others)
    private static let actions = set(LanguageWords.actions)
    private static let verbs = set(LanguageWords.verbs)

    static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }
}

extension Substring {
    fileprivate var trimmingMarks: Substring {
        let kept = drop { !$0.isLetter && !$0.isNumber }
        guard let last = kept.lastIndex(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return kept[...last]
    }
}

extension String {
    /// Rejects possessives: the subject of "Maria's brother said" is not Maria.
    fileprivate var withoutGenitive: String? { hasSuffix("'s") || hasSuffix("’s") ? nil : self }
}
