/// How an English word sounds with -s, -ed or -ing, from how it sounds without.
///
/// Rules of spelling: https://en.wiktionary.org/wiki/-s and the pages beside it.
enum EnglishEndings {
    private static let voiceless: Set<Character> = ["p", "t", "k", "f", "θ"]
    private static let hissing: Set<Character> = ["s", "z", "ʃ", "ʒ", "ʧ", "ʤ"]
    /// An American t is a tap between one of these and a vowel.
    private static let beforeTap = Set("AIOWYiuæɑəɛɪɹʊʌ")

    /// - Parameter find: The phonemes of a word without an ending.
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
            // A silent British r is spoken again before a vowel.
            if let found = first(stems), language != .british || !["ə", "ː"].contains(found.last) {
                return tapped(found, language) + "ɪŋ"
            }
        }
        return nil
    }

    private static func isVowel(_ letter: Character?) -> Bool { letter.map { "aeiouy".contains($0) } ?? false }

    /// Whether two consonants end it after which no e is silent: "march", "long", but not "chang" and "tast".
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

    /// Whether it ends with one consonant after one vowel, which would be doubled if there had been no e: "hop", "fad".
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
