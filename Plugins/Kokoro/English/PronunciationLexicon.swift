package import EngineKit
import SynthEnglish
import SynthInference

/// A list of English words and their phonemes in Kokoro's symbols.
///
/// The file is either one of misaki's word lists (JSON that maps words to phonemes, or to phonemes by part of speech)
/// or plain text with one word and its phonemes per line; spaces may separate the phonemes. misaki has one list per
/// variety of English. The symbols in a list identify its variety; the list is ignored for texts in other varieties.
package struct PronunciationLexicon: Sendable {
    private static let sizeLimit = 64 << 20

    /// The only variety of English in which misaki uses this symbol; `nil` for shared symbols.
    private static func variety(of symbol: Unicode.Scalar) -> KokoroLanguage? {
        switch symbol {
        case "O", "æ", "ᵻ", "ɾ", "ʔ": .american
        case "Q", "a", "ɒ", "ː": .british
        default: nil
        }
    }

    /// The list's variety of English; `nil` if the symbols do not identify one.
    private(set) var variety: KokoroLanguage?
    private var words: [String: String] = [:]
    private var lastWords: [String: String] = [:]
    /// Alternative phonemes for words whose pronunciation depends on the part of speech.
    private var otherWords: [String: [String]] = [:]

    package init(path: String) throws(EngineError) {
        guard let file = try? MappedFile(path), file.bytes.count <= Self.sizeLimit else {
            throw KokoroFailure.lexicon("is empty or too large, or cannot be read")
        }
        let bytes = Array(file.bytes)
        switch bytes.first(where: { $0 > UInt8(ascii: " ") }) {
        case UInt8(ascii: "{"): try read(json: bytes)
        case UInt8(ascii: "<"): throw KokoroFailure.lexicon("is a web page")
        default: try read(lines: bytes)
        }
    }

    private mutating func read(json: [UInt8]) throws(EngineError) {
        var words: [String: String] = [:]
        var lastWords: [String: String] = [:]
        var otherWords: [String: [String]] = [:]
        var found: Set<KokoroLanguage> = []
        var reader = LexiconJSON(json)
        try reader.read { word, phonemes, last, others in
            words[word] = phonemes
            lastWords[word] = last
            let others = others.filter { SoundDistance.plain($0) != SoundDistance.plain(phonemes ?? "") }
            if !others.isEmpty { otherWords[word] = others }
            for symbol in (phonemes ?? "").unicodeScalars {
                if let variety = Self.variety(of: symbol) { found.insert(variety) }
            }
        }
        (self.words, self.lastWords, self.otherWords) = (words, lastWords, otherWords)
        variety = found.count == 1 ? found.first : nil
    }

    private mutating func read(lines: [UInt8]) throws(EngineError) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard parts.count > 1 else { continue }
            words[String(parts[0])] = parts.dropFirst().joined()
        }
        guard !words.isEmpty else { throw KokoroFailure.lexicon("is not a list of words and phonemes") }
    }

    /// Returns the symbols for a word; `nil` if the list contains neither the word nor its form without -s, -ed or
    /// -ing.
    ///
    /// - Parameter spoken: espeak-ng's pronunciation at this text position. If a word has several pronunciations, the most
    ///   similar one is selected, because espeak-ng considers the surrounding words.
    func symbols(
        of text: String, spoken: [Unicode.Scalar], _ language: KokoroLanguage, isFollowed: Bool
    ) -> [Unicode.Scalar]? {
        guard variety == nil || variety == language, !EnglishWords.contextual.contains(text.lowercased()) else {
            return nil
        }
        let word = text.replacing("’", with: "'")
        let phonemes =
            find(word, spoken, isFollowed: isFollowed)
            ?? EnglishEndings.phonemes(of: word, language) { find($0, spoken, isFollowed: true) }
        return phonemes.map { phonemes in
            EnglishWords.stressed(phonemes.unicodeScalars.map { $0 == "ɾ" ? "T" : $0 == "ʔ" ? "t" : $0 }, as: text)
        }
    }

    /// Whether the list's pronunciation of a word, or of its form without -s, -ed or -ing, differs from the one in the
    /// built-in list. misaki's lists, which are part of older models, contain the same pronunciations as the built-in
    /// list.
    func changes(_ text: String, _ reader: EnglishReader?, _ language: KokoroLanguage) -> Bool {
        guard variety == nil || variety == language, !EnglishWords.contextual.contains(text.lowercased()) else {
            return false
        }
        func change(_ word: String) -> (phonemes: String, isOther: Bool)? {
            for form in Self.forms(word) {
                guard let phonemes = words[form] else { continue }
                return (phonemes, reader?.listed(form) != Array(phonemes.unicodeScalars))
            }
            return nil
        }
        let word = text.replacing("’", with: "'")
        if let found = change(word) { return found.isOther }
        var isOther = false
        _ = EnglishEndings.phonemes(of: word, language) { stem in
            guard let found = change(stem) else { return nil }
            isOther = found.isOther
            return found.phonemes
        }
        return isOther
    }

    /// The word as written, the word in lowercase, and the capitalized word.
    private static func forms(_ word: String) -> [String] {
        let lowercase = word.lowercased()
        return [word, lowercase, lowercase.prefix(1).uppercased() + lowercase.dropFirst()]
    }

    private func find(_ word: String, _ spoken: [Unicode.Scalar], isFollowed: Bool) -> String? {
        for form in Self.forms(word) {
            if !isFollowed, let phonemes = lastWords[form] { return phonemes }
            guard let phonemes = words[form] else { continue }
            guard let others = otherWords[form] else { return phonemes }
            return SoundDistance.nearest(to: spoken, of: [phonemes] + others)
        }
        return nil
    }
}

/// A model's word lists. At most one of them is used for a text.
struct Lexicons: Sendable {
    private let lexicons: [PronunciationLexicon]

    /// Loads the lists. Missing and damaged files are ignored.
    init(paths: [String]) {
        lexicons = paths.compactMap { path in
            do throws(EngineError) {
                return try PronunciationLexicon(path: path)
            } catch {
                EngineLog.warning("\(error.message) This file is ignored: \(path)")
                return nil
            }
        }
    }

    /// The list for a variety of English; `nil` for other languages.
    func lexicon(for language: KokoroLanguage) -> PronunciationLexicon? {
        guard language.isEnglish else { return nil }
        return lexicons.first { $0.variety == language } ?? lexicons.first { $0.variety == nil }
    }
}

/// The difference between two pronunciations of a word.
enum SoundDistance {
    /// Returns the reading that is most similar to the spoken pronunciation, or the first of several equally similar
    /// ones.
    static func nearest(to spoken: [Unicode.Scalar], of readings: [String]) -> String? {
        let spoken = comparable(spoken)
        var best: (reading: String, distance: Int)?
        for reading in readings {
            let distance = between(spoken, comparable(Array(reading.unicodeScalars)))
            if distance < best?.distance ?? .max { best = (reading, distance) }
        }
        return best?.reading
    }

    /// The pronunciation without its stress marks.
    static func plain(_ reading: String) -> String { reading.filter { $0 != "ˈ" && $0 != "ˌ" } }

    private static func comparable(_ symbols: [Unicode.Scalar]) -> [Unicode.Scalar] {
        symbols.filter { $0 != "ˌ" }.map { $0 == "ɾ" ? "T" : $0 == "ᵻ" ? "ə" : $0 }
    }

    /// The edit distance: the number of insertions, deletions and replacements.
    private static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (line, symbol) in left.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for column in right.indices {
                let change = corner + (symbol == right[column] ? 0 : 1)
                corner = row[column + 1]
                row[column + 1] = min(change, corner + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}

/// Derives the pronunciation of an English word ending in -s, -ed or -ing from the pronunciation of the word without
/// the ending.
///
/// Spelling rules: https://en.wiktionary.org/wiki/-s and related pages.
enum EnglishEndings {
    private static let voiceless: Set<Character> = ["p", "t", "k", "f", "θ"]
    private static let hissing: Set<Character> = ["s", "z", "ʃ", "ʒ", "ʧ", "ʤ"]
    /// In American English, a t between one of these symbols and a vowel becomes a tap.
    private static let beforeTap = Set("AIOWYiuæɑəɛɪɹʊʌ")

    /// - Parameter find: Returns the phonemes of a word without an ending.
    static func phonemes(of word: String, _ language: KokoroLanguage, find: (String) -> String?) -> String? {
        let short = language == .british ? "ɪ" : "ᵻ"
        func first(_ stems: [String]) -> String? {
            for stem in stems where stem.count > 1 { if let phonemes = find(stem) { return phonemes } }
            return nil
        }
        func stem(_ count: Int, _ replacement: String = "") -> String { word.dropLast(count) + replacement }

        if word.hasSuffix("s"), !word.hasSuffix("ss") {
            var stems = [stem(1)]
            if word.hasSuffix("'s") || word.hasSuffix("es") { stems.append(stem(2)) }
            if word.hasSuffix("ies") { stems.append(stem(3, "y")) }
            if let found = first(stems), let last = found.last {
                return found + (voiceless.contains(last) ? "s" : hissing.contains(last) ? short + "z" : "z")
            }
        }
        if word.hasSuffix("ed") {
            var stems = endsFirmly(word.dropLast(2)) ? [stem(2), stem(1)] : [stem(1), stem(2)]
            if word.hasSuffix("ied") { stems.append(stem(3, "y")) }
            if isDoubled(word.dropLast(2)) { stems.append(stem(3)) }
            if let found = first(stems), let last = found.last {
                switch last {
                case "t": return tapped(found, language) + (language == .british ? "ɪd" : "ᵻd")
                case "d": return found + short + "d"
                default: return found + (voiceless.contains(last) || ["s", "ʃ", "ʧ"].contains(last) ? "t" : "d")
                }
            }
        }
        if word.hasSuffix("ing") {
            var stems = lostE(word.dropLast(3)) ? [stem(3, "e"), stem(3)] : [stem(3), stem(3, "e")]
            if isDoubled(word.dropLast(3)) { stems.append(stem(4)) }
            // A British r that is otherwise silent is pronounced before a vowel.
            if let found = first(stems), language != .british || !["ə", "ː"].contains(found.last) {
                return tapped(found, language) + "ɪŋ"
            }
        }
        return nil
    }

    private static func isVowel(_ letter: Character?) -> Bool { letter.map { "aeiouy".contains($0) } ?? false }

    /// Whether the stem ends in two consonants that are never followed by a silent e: "march", "long", but not
    /// "chang" (changing) or "tast" (tasting).
    private static func endsFirmly(_ stem: Substring) -> Bool {
        guard stem.count > 2, let last = stem.last, let before = stem.dropLast().last, !isVowel(last), !isVowel(before)
        else { return false }
        switch last {
        case "h": return before != "t"
        case "t": return before != "s"
        case "s", "l", "z": return before == last
        default: return "bdfkmnpwx".contains(last)
        }
    }

    /// Whether the stem ends with one vowel and one consonant. Because the consonant was not doubled, the word without
    /// the ending must end in e: "hop" (hoping), "fad" (fading).
    private static func lostE(_ stem: Substring) -> Bool {
        guard stem.count > 1, let last = stem.last, !isVowel(last), last != "w", last != "x" else { return false }
        let rest = stem.dropLast()
        return isVowel(rest.last) && !isVowel(rest.dropLast().last)
    }

    private static func isDoubled(_ stem: Substring) -> Bool {
        stem.count > 2 && stem.last == stem.dropLast().last && !"aeiou".contains(stem.last ?? "a")
    }

    private static func tapped(_ stem: String, _ language: KokoroLanguage) -> String {
        guard language == .american, stem.last == "t", let before = stem.dropLast().last, beforeTap.contains(before)
        else { return stem }
        return stem.dropLast() + "ɾ"
    }
}
