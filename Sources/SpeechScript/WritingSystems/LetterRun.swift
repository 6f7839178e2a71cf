/// Letters of one writing system that follow each other, with what stands between them.
struct LetterRun: Equatable {
    /// In bytes of the text, from its first letter to its last.
    var range: Range<Int>
    /// nil = letters of several are mixed in one word.
    var system: WritingSystem?
    /// Words with spaces between them.
    var words = 1
    /// Letters of the longest word.
    var longestWord: Int
    var hasSmallLetters: Bool
}

/// Finds the words of a text by their letters.
struct LetterRunScanner {
    private(set) var runs: [LetterRun] = []
    private var word: LetterRun?
    /// Whether a space stands before the word that begins next.
    private var hasSpace = true

    private let joinsKana: Bool

    /// - Parameters:
    ///   - text: in UTF-8.
    ///   - joinsKana: Chinese characters and kana count as one system.
    init(_ text: Span<UInt8>, joinsKana: Bool) {
        self.joinsKana = joinsKana
        var place = 0
        while place < text.count {
            let (scalar, length) = UTF8Cursor.scalar(at: place, in: text)
            take(scalar, at: place..<place + length)
            place += length
        }
        endWord()
    }

    private mutating func take(_ scalar: UInt32, at range: Range<Int>) {
        guard let system = WritingSystem(scalar) else {
            // Accents, and what joins the parts of a word.
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
