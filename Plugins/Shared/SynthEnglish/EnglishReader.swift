import Synchronization

/// Converts English text to the symbols that Kokoro was trained on, without espeak-ng.
///
/// The reader looks up each word's phonemes in word lists. If a word is not listed, its phonemes are derived by rules
/// for inflected forms, or guessed from the letters by a neural network. If a word has several pronunciations, a
/// part-of-speech tagger and the neighboring words select one. Threads may share a reader.
package struct EnglishReader: Sendable {
    private let rules: WordRules
    private let senses: Senses
    private let tagger: Tagger
    private let net: LetterNet

    /// Reads and checks the word lists and the neural networks, which takes about 10 ms.
    package init(_ accent: EnglishAccent, _ data: EnglishData = .builtIn) throws {
        rules = WordRules(list: try WordList(data.file("english.words"), accent), accent: accent)
        senses = Senses(rules: rules)
        tagger = try Tagger(TensorFile(data.file("english.tags")))
        net = try LetterNet(TensorFile(data.file("english.sounds")), accent)
    }

    /// Reads one or more sentences. Digits are read one at a time, so numbers should already be spelled out.
    package func read(_ text: String) -> EnglishReading {
        let tokens = Tokens.tokens(of: text)
        let tags = tagger.tags(of: tokens.map(\.text))
        let groups = WordGroup.groups(of: tokens, in: text, tags, isKnown: { rules.gold($0) != nil })
        var following = Following()
        var said: [[Part]] = []
        for group in groups.reversed() { said.append(read(group, tokens, tags, &following)) }
        var reading = EnglishReading()
        let stop = tokens.lastIndex(where: \.isWord).flatMap { index in
            tokens[index].text.hasSuffix(".")
                && !tokens[index...].dropFirst().contains { [".", "!", "?", "…"].contains($0.text) }
                ? index : nil
        }
        for (group, parts) in zip(groups, said.reversed()) {
            for part in parts {
                if part.isUnreadable { reading.unreadable.append(part.bytes) }
                if part.isMark {
                    for symbol in part.sounds { reading.append(symbol) }
                } else {
                    if part.isAfterSpace { reading.append(" ") }
                    reading.append(part.sounds, from: part.bytes, part.source)
                }
            }
            // A punctuation mark after an unreadable word directly follows the previous readable word.
            if !group.isBeforeSpace, parts.allSatisfy(\.isUnreadable), reading.symbols.last == " " {
                reading.symbols.removeLast()
            }
            // If the text ends with an abbreviation, the abbreviation's period also ends the sentence.
            if group.tokens.upperBound - 1 == stop { reading.append(".") }
            if group.isBeforeSpace { reading.append(" ") }
        }
        if reading.symbols.last == " " { reading.symbols.removeLast() }
        return reading
    }

    /// Returns the default phonemes of a word in the lists, ignoring its context; `nil` if the word is not listed.
    package func listed(_ word: String) -> [Unicode.Scalar]? { (rules.gold(word) ?? rules.silver(word))?.reading }

    /// Guesses the phonemes of a word that is not in the lists.
    package func guess(_ word: String) -> [Unicode.Scalar] {
        net.sounds(of: (Folding.folded(word) ?? word).lowercased().unicodeScalars).map { $0 == "ɾ" ? "T" : $0 }
    }

    /// The maximum number of pieces in a listed compound.
    private static let longestCompound = 8

    /// A unit that is spoken without a pause, and its position in the text.
    private struct Part {
        var sounds: Sounds
        var bytes: Range<Int>
        var source: EnglishReading.Source = .list
        var isMark = false
        var isAfterSpace = false
        var isUnreadable = false
    }

    private func read(_ group: WordGroup, _ tokens: [Token], _ tags: [String], _ following: inout Following) -> [Part] {
        guard !group.isMark else {
            let token = tokens[group.tokens.lowerBound]
            let sounds = Marks.symbols(of: token.text, tag: tags[group.tokens.lowerBound])
            following.update(sounds)
            following.isTo = false
            return [Part(sounds: sounds, bytes: token.bytes, isMark: true)]
        }
        let pieces = group.pieces
        var said = [(sounds: Sounds, source: EnglishReading.Source)?](repeating: nil, count: pieces.count)
        var unreadable: [Range<Int>] = []
        var right = pieces.count
        search: while right > 0 {
            // Find the first piece of the longest listed word that ends here. The limit bounds the running time for
            // text that consists only of hyphens.
            for left in max(0, right - Self.longestCompound)..<right {
                let merged = WordGroup.merged(pieces[left..<right])
                let word = WordRules.Word(text: merged.text, tag: merged.tag, following: following)
                let position = merged.token
                guard
                    let found = senses.sounds(of: word, at: position, tokens, tags).map({ ($0, .context) })
                        ?? rules.sounds(of: word)
                else { continue }
                said[left] = found
                following = Following(word, after: following, found.0)
                right = left
                continue search
            }
            right -= 1
            let piece = pieces[right]
            guard !piece.isSilent else { continue }
            guard let folded = Folding.folded(piece.text) else {
                unreadable.append(piece.bytes)
                continue
            }
            let word = WordRules.Word(text: folded, tag: piece.tag, following: following)
            var found: (sounds: Sounds, source: EnglishReading.Source) =
                (folded == piece.text ? nil : rules.sounds(of: word)) ?? (
                    net.sounds(of: folded.lowercased().unicodeScalars), .letters
                )
            if right + 1 < pieces.count, pieces[right + 1].text == "'s" {
                found.sounds = Endings(accent: rules.accent).sounds(found.sounds, .s) ?? found.sounds
                said[right + 1] = nil
            }
            said[right] = found
            following = Following(word, after: following, found.sounds)
        }
        let bytes = group.bytes(tokens)
        var parts: [Part] = []
        if group.isSpelledApart {
            for (index, piece) in pieces.enumerated() {
                guard let found = said[index] else { continue }
                parts.append(
                    Part(sounds: found.sounds, bytes: piece.bytes, source: found.source, isAfterSpace: !parts.isEmpty))
            }
        } else {
            Self.balance(&said, pieces)
            let spoken = said.compactMap { $0 }
            let source = spoken.max { Self.rank($0.source) < Self.rank($1.source) }?.source ?? .list
            if !spoken.isEmpty { parts.append(Part(sounds: spoken.flatMap(\.sounds), bytes: bytes, source: source)) }
        }
        parts += unreadable.reversed().map { Part(sounds: [], bytes: $0, isUnreadable: true) }
        return parts
    }

    private static func rank(_ source: EnglishReading.Source) -> Int {
        switch source {
        case .list: 0
        case .inflected: 1
        case .context: 2
        case .spelled: 3
        case .letters: 4
        }
    }

    /// Reduces the main stress of the lighter parts of a compound.
    private static func balance(
        _ said: inout [(sounds: Sounds, source: EnglishReading.Source)?], _ pieces: [WordGroup.Piece]
    ) {
        let spoken = said.indices.filter { said[$0]?.sounds.isEmpty == false }
        func weaken(_ index: Int) {
            guard let found = said[index] else { return }
            said[index] = (Stress.stressed(found.sounds, .weaker), found.source)
        }
        if spoken.count == 2, pieces[spoken[0]].text.count == 1 { return weaken(spoken[1]) }
        var weights = spoken.map { index -> (hasMain: Int, weight: Int, index: Int) in
            let sounds = said[index]?.sounds ?? []
            return (sounds.contains(Stress.main) ? 1 : 0, Stress.weight(sounds), index)
        }
        guard weights.count > 1, weights.reduce(0, { $0 + $1.hasMain }) > (weights.count + 1) / 2 else { return }
        weights.sort { $0 < $1 }
        for weight in weights.prefix(weights.count / 2) { weaken(weight.index) }
    }
}

extension Following {
    init(_ word: WordRules.Word, after next: Following, _ sounds: Sounds) {
        self = next
        update(sounds)
        isTo = word.text == "to" || word.text == "To" || word.text == "TO" && (word.tag == "TO" || word.tag == "IN")
    }

    /// Records whether the sounds start with a vowel, a consonant or a pause. Punctuation marks that cause no pause are
    /// ignored.
    mutating func update(_ sounds: Sounds) {
        for symbol in sounds {
            if Stress.vowels.contains(symbol) {
                isVowel = true
                return
            }
            if Stress.consonants.contains(symbol) {
                isVowel = false
                return
            }
            if Marks.pauses.contains(symbol) {
                isVowel = nil
                return
            }
        }
    }
}

/// The readers of both accents, created on first use and shared by all lanes of a voice.
package final class EnglishReaders: Sendable {
    private let made = Mutex<[EnglishAccent: EnglishReader]>([:])

    package init() {}

    /// Returns the reader for an accent. The first call for each accent takes about 10 ms.
    package func reader(of accent: EnglishAccent) throws -> EnglishReader {
        try made.withLock { made in
            if let reader = made[accent] { return reader }
            let reader = try EnglishReader(accent)
            made[accent] = reader
            return reader
        }
    }
}
