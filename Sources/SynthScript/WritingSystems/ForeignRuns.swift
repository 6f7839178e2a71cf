/// Finds runs of foreign letters, which a voice for the text's language could only spell out.
///
/// | letters | language |
/// |---|---|
/// | in a writing system that the language does not use | the most probable language for the letters |
/// | Latin, within text in a different writing system | English if there are at least three words; one or two are treated as names, which voices can read |
/// | Latin, for a voice that cannot read Latin words | English, except abbreviations and units |
/// | a single letter, or a word that mixes writing systems | unchanged: mathematical symbols, units, lookalike letters |
struct ForeignRuns {
    struct Run: Equatable {
        /// The byte range in the text.
        var range: Range<Int>
        /// A BCP 47 tag, or nil for the text's language.
        var language: String?
    }

    /// The minimum number of consecutive Latin words that are treated as an English quotation within text in a
    /// different writing system.
    private static let quotation = 3
    /// Words with fewer letters are treated as units and abbreviations.
    private static let shortestName = 4

    private let text: String
    private let language: String
    private let hasKana: Bool

    /// Returns the runs of the text, in order and without gaps.
    ///
    /// - Parameters:
    ///   - language: a BCP 47 tag.
    ///   - isSpoken: whether a voice for a language is available. If there is no voice for a run's language, the run
    ///     keeps the voice of the text.
    static func find<Failure>(
        in text: String, of language: String, where isSpoken: (String) throws(Failure) -> Bool
    ) throws(Failure) -> [Run] {
        let whole = [Run(range: 0..<text.utf8.count)]
        let isLatin = WrittenLanguage.system(of: language) == .latin
        if isLatin, !text.utf8.contains(where: { $0 >= firstLeadOutsideLatin }) { return whole }
        let finder = ForeignRuns(text: text, language: language)
        let bytes = Array(text.utf8)
        var runs: [Run] = []
        let scanner = LetterRunScanner(bytes.span, joinsKana: WrittenLanguage.system(of: language) != .han)
        for letters in scanner.runs {
            var other = finder.language(of: letters)
            if let asked = other, try !isSpoken(asked) { other = nil }
            if let last = runs.last, last.language == other {
                runs[runs.count - 1].range = last.range.lowerBound..<letters.range.upperBound
            } else {
                runs.append(Run(range: letters.range, language: other))
            }
        }
        if runs.isEmpty || runs.count == 1 && runs[0].language == nil { return whole }
        return finder.joined(runs, bytes)
    }

    /// The first UTF-8 lead byte of scalars outside the Latin script.
    private static let firstLeadOutsideLatin: UInt8 = 0xCD

    private init(text: String, language: String) {
        self.text = text
        self.language = language
        hasKana = text.unicodeScalars.contains { WritingSystem($0.value) == .kana }
    }

    /// Returns the language of the letters, or nil for the text's language.
    private func language(of letters: LetterRun) -> String? {
        guard let system = letters.system else { return nil }
        if system == .han, !WrittenLanguage.reads(.han, in: language) { return hasKana ? "ja" : "zh" }
        if WrittenLanguage.reads(system, in: language) { return nil }
        if system == .latin { return isEnglish(letters) ? "en" : nil }
        guard letters.longestWord > 1 else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: letters.range.lowerBound)
        let end = text.utf8.index(text.startIndex, offsetBy: letters.range.upperBound)
        return WrittenLanguage.likely(system, letters: text[start..<end].lowercased().unicodeScalars)
    }

    private func isEnglish(_ letters: LetterRun) -> Bool {
        if letters.words >= Self.quotation { return true }
        return !WrittenLanguage.readsLatinWords(in: language) && letters.longestWord >= Self.shortestName
            && letters.hasSmallLetters
    }

    /// Assigns the text between two runs to one or the other.
    private func joined(_ runs: [Run], _ bytes: [UInt8]) -> [Run] {
        var joined = runs
        for index in joined.indices.dropFirst() {
            let gap = joined[index - 1].range.upperBound..<joined[index].range.lowerBound
            let border = Self.border(in: gap, bytes, isForeignNext: joined[index].language != nil)
            joined[index - 1].range = joined[index - 1].range.lowerBound..<border
            joined[index].range = border..<joined[index].range.upperBound
        }
        let first = joined[0].range.lowerBound
        let last = joined[joined.count - 1].range.upperBound
        joined[0].range = 0..<joined[0].range.upperBound
        joined[joined.count - 1].range = joined[joined.count - 1].range.lowerBound..<bytes.count
        if joined[0].language != nil, bytes[..<first].contains(where: Self.isDigit) {
            let border = Self.border(in: 0..<first, bytes, isForeignNext: true)
            joined[0].range = border..<joined[0].range.upperBound
            if border > 0 { joined.insert(Run(range: 0..<border), at: 0) }
        }
        if let foreign = joined.last, foreign.language != nil, bytes[last...].contains(where: Self.isDigit) {
            let border = Self.border(in: last..<bytes.count, bytes, isForeignNext: false)
            joined[joined.count - 1].range = foreign.range.lowerBound..<border
            if border < bytes.count { joined.append(Run(range: border..<bytes.count)) }
        }
        return joined
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Returns the boundary between two runs. Punctuation is assigned to the adjacent word, and numbers are assigned to
    /// the text's language.
    private static func border(in gap: Range<Int>, _ bytes: [UInt8], isForeignNext: Bool) -> Int {
        let space = UInt8(ascii: " ")
        let found = isForeignNext ? bytes[gap].lastIndex(of: space) : bytes[gap].firstIndex(of: space)
        if let found { return found }
        // The gap contains only punctuation. Opening marks are assigned to the next run.
        var border = gap.upperBound
        while border > gap.lowerBound {
            let start = UTF8Cursor.start(before: border, floor: gap.lowerBound, in: bytes.span)
            switch ScalarClass.of(UTF8Cursor.scalar(at: start, in: bytes.span).value) {
            case .opener, .leftGuillemet, .turnedQuote: border = start
            default: return border
            }
        }
        return border
    }
}

extension Utterance {
    /// Splits the utterance at runs of letters that a voice for its language cannot read. The style of each part
    /// includes its language. Ranges with a pronunciation or reading, and phonemes in brackets, are never split.
    ///
    /// - Parameters:
    ///   - language: the text's language (BCP 47).
    ///   - isSpoken: whether a voice for a language is available.
    package func cutAtLanguages<Failure>(
        _ language: String, where isSpoken: (String) throws(Failure) -> Bool
    ) throws(Failure) -> [Utterance] {
        let runs = try ForeignRuns.find(in: text, of: language, where: isSpoken)
        if runs.allSatisfy({ $0.language == nil }) || text.contains("[[") { return [self] }
        var stretches: [ForeignRuns.Run] = []
        for run in runs {
            if let last = stretches.last, last.language == run.language || isInsideWhole(run.range.lowerBound) {
                stretches[stretches.count - 1].range = last.range.lowerBound..<run.range.upperBound
            } else {
                stretches.append(run)
            }
        }
        if stretches.count == 1, stretches[0].language == nil { return [self] }
        let parts = cut(at: stretches.map(\.range.upperBound))
        guard parts.count == stretches.count else { return [self] }
        return zip(parts, stretches).map { part, stretch in
            guard let language = stretch.language else { return part }
            var part = part
            part.style.language = language
            part.style.voice = nil
            return part
        }
    }
}

/// Consecutive letters of one writing system, including the characters between them.
struct LetterRun: Equatable {
    /// The byte range in the text, from the first letter to the last.
    var range: Range<Int>
    /// The writing system, or nil if a word mixes several.
    var system: WritingSystem?
    /// The number of space-separated words.
    var words = 1
    /// The number of letters in the longest word.
    var longestWord: Int
    var hasSmallLetters: Bool
}

/// Groups words by the writing system of their letters.
struct LetterRunScanner {
    private(set) var runs: [LetterRun] = []
    private var word: LetterRun?
    /// Whether a space precedes the next word.
    private var hasSpace = true

    private let joinsKana: Bool

    /// - Parameters:
    ///   - text: UTF-8.
    ///   - joinsKana: whether to treat Chinese characters and kana as one writing system.
    init(_ text: Span<UInt8>, joinsKana: Bool) {
        self.joinsKana = joinsKana
        var position = 0
        while position < text.count {
            let (scalar, length) = UTF8Cursor.scalar(at: position, in: text)
            take(scalar, at: position..<position + length)
            position += length
        }
        endWord()
    }

    private mutating func take(_ scalar: UInt32, at range: Range<Int>) {
        guard let system = WritingSystem(scalar) else {
            // Accents and characters that join letters within a word.
            let joins = ScalarClass.isExtender(scalar) || scalar == 0x27 || scalar == 0x2019 || scalar == 0x640
            if joins, word != nil { return }
            endWord()
            if ScalarClass.of(scalar) == .space { hasSpace = true }
            return
        }
        let merged: WritingSystem = system == .kana && joinsKana ? .han : system
        if word == nil || merged != word?.system && (merged.isUnspaced || word?.system?.isUnspaced == true) {
            endWord()
            word = LetterRun(range: range, system: merged, longestWord: 0, hasSmallLetters: false)
        }
        word?.add(range, merged, isSmall: ScalarClass.isLowercase(scalar))
    }

    private mutating func endWord() {
        guard let word else { return }
        self.word = nil
        if let last = runs.last, last.system == word.system {
            runs[runs.count - 1].add(word, isOwnWord: hasSpace)
        } else {
            runs.append(word)
        }
        hasSpace = false
    }
}

extension LetterRun {
    fileprivate mutating func add(_ letter: Range<Int>, _ system: WritingSystem, isSmall: Bool) {
        range = range.lowerBound..<letter.upperBound
        if system != self.system { self.system = nil }
        longestWord += 1
        hasSmallLetters = hasSmallLetters || isSmall
    }

    fileprivate mutating func add(_ word: LetterRun, isOwnWord: Bool) {
        range = range.lowerBound..<word.range.upperBound
        words += isOwnWord ? 1 : 0
        longestWord = max(longestWord, word.longestWord)
        hasSmallLetters = hasSmallLetters || word.hasSmallLetters
    }
}
