import Testing

@testable import SynthPhonemes

@Suite struct PhonemeIDMapTests {
    private let numbers: [String: [Int64]] = [
        "_": [0], "^": [1], "$": [2], " ": [3], ".": [10], "a": [14], "c": [16], "d": [17], "t": [32], "x": [40, 41],
        "ɪ": [74], "ʃ": [96], "ʒ": [108], "\u{327}": [140], "aɪ": [161],
    ]

    private func ids(_ symbols: String, _ map: PhonemeIDMap) -> PhonemeIDs {
        var sentence = PhonemeSentence()
        sentence.append(Array(symbols.unicodeScalars), from: 0..<0)
        return map.ids(of: sentence)
    }

    @Test("A sequence consists of a begin symbol, a pad, each symbol followed by a pad, and an end symbol")
    func order() throws {
        let ids = ids("ta.", try PhonemeIDMap(numbers))
        #expect(ids.ids == [1, 0, 32, 0, 14, 0, 10, 0, 2])
        #expect(ids.units.map(\.ids) == [2..<4, 4..<6, 6..<8])
        #expect(ids.units.map(\.symbols) == [0..<1, 1..<2, 2..<3])
    }

    @Test("A symbol with several IDs is followed by a single pad")
    func severalIDs() throws {
        #expect(ids("xa", try PhonemeIDMap(numbers)).ids == [1, 0, 40, 41, 0, 14, 0, 2])
    }

    @Test("Symbols that the voice lacks are omitted and counted")
    func unknown() throws {
        let ids = ids("aQtQ", try PhonemeIDMap(numbers))
        #expect(ids.ids == [1, 0, 14, 0, 32, 0, 2])
        #expect(ids.unknown == ["Q": 2])
    }

    @Test("Ligatures and precomposed letters are written with symbols that the voice has")
    func forms() throws {
        let ids = ids("ʤʧç", try PhonemeIDMap(numbers))
        #expect(ids.ids == [1, 0, 17, 0, 108, 0, 32, 0, 96, 0, 16, 0, 140, 0, 2])
        #expect(ids.unknown.isEmpty)
    }

    @Test("Vowels are joined only if the voice requires them to be")
    func clusters() throws {
        #expect(ids("aɪ", try PhonemeIDMap(numbers)).ids == [1, 0, 14, 0, 74, 0, 2])
        let joined = ids("taɪt", try PhonemeIDMap(numbers, clusters: [["a", "ɪ"], ["ɔ", "ɪ"]]))
        #expect(joined.ids == [1, 0, 32, 0, 161, 0, 32, 0, 2])
        #expect(joined.units.map(\.symbols) == [0..<1, 1..<3, 3..<4])
    }

    @Test("The replacements in a voice's map are applied")
    func replacements() throws {
        let map = try PhonemeIDMap(numbers, replacements: ["c": ["t", "ʃ"]])
        #expect(ids("ca", map).ids == [1, 0, 32, 0, 96, 0, 14, 0, 2])
    }

    @Test("A map that lacks a required symbol is rejected", arguments: ["_", "^", "$"])
    func incomplete(symbol: String) {
        var numbers = numbers
        numbers[symbol] = nil
        #expect(throws: PhonemeError.missingSymbol(symbol)) { try PhonemeIDMap(numbers) }
    }

    @Test("A long sentence is split after a comma, or else at a space, or else at the limit, and nothing is lost")
    func cuts() {
        for text in [
            "aa aa aa, aa aa aa aa aa aa", String(repeating: "aaa ", count: 50), String(repeating: "a", count: 100),
            "a",
        ] {
            var sentence = PhonemeSentence()
            sentence.append(Array(text.unicodeScalars), from: 0..<text.utf8.count)
            let cuts = sentence.cuts(atMost: 12)
            #expect(cuts.allSatisfy { $0.count <= 12 })
            let kept = cuts.flatMap { sentence.scalars[$0] }.filter { $0 != " " }
            #expect(kept == sentence.scalars.filter { $0 != " " })
            for cut in cuts { #expect(sentence.part(cut).scalars == Array(sentence.scalars[cut])) }
        }
        var sentence = PhonemeSentence()
        sentence.append(Array("aa aaaa, aa aa".unicodeScalars), from: 0..<14)
        #expect(sentence.cuts(atMost: 12) == [0..<8, 9..<14])
        #expect(sentence.cuts(atMost: 14) == [0..<14])
    }

    @Test("Decomposition follows the Unicode rules for composed letters, Hangul, and marks in canonical order")
    func decomposition() {
        #expect("ç".decomposed == ["c", "\u{327}"])
        #expect("\u{1EBF}".decomposed == ["e", "\u{302}", "\u{301}"])
        #expect("한".decomposed == ["\u{1112}", "\u{1161}", "\u{11AB}"])
        #expect("a\u{301}\u{323}".decomposed == ["a", "\u{323}", "\u{301}"])
        #expect("ɹ̩ab".decomposed == ["ɹ", "\u{329}", "a", "b"])
    }
}
