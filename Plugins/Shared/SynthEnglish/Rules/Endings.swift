/// Derives the pronunciation of an English word ending in -s, -ed or -ing from the pronunciation of the word without
/// the ending.
///
/// Rules: https://en.wiktionary.org/wiki/-s and related pages.
struct Endings {
    enum Ending { case s, ed, ing }

    let accent: EnglishAccent

    private static let voiceless = Set("ptkfθ".unicodeScalars)
    private static let hissing = Set("szʃʒʧʤ".unicodeScalars)
    private static let beforeT = Set("pkfθʃsʧ".unicodeScalars)
    /// In American English, a t between one of these symbols and a vowel becomes a tap.
    private static let beforeTap = Set("AIOWYiuæɑəɛɪɹʊʌ".unicodeScalars)

    private var short: Unicode.Scalar { accent == .british ? "ɪ" : "ᵻ" }

    /// Returns the phonemes of the word with the ending; `nil` if the spelling does not determine them.
    func sounds(_ stem: Sounds, _ ending: Ending) -> Sounds? {
        guard let last = stem.last else { return nil }
        switch ending {
        case .s:
            return stem + (Self.voiceless.contains(last) ? ["s"] : Self.hissing.contains(last) ? [short, "z"] : ["z"])
        case .ed:
            switch last {
            case "d": return stem + [short, "d"]
            case "t": return accent == .british || stem.count < 2 ? stem + ["ɪ", "d"] : tapped(stem) + ["ᵻ", "d"]
            default: return stem + (Self.beforeT.contains(last) ? ["t"] : ["d"])
            }
        case .ing:
            // In British English, a silent final r is pronounced before -ing, but the phonemes do not show whether the
            // word ends in r.
            if accent == .british, last == "ə" || last == "ː" { return nil }
            return tapped(stem) + ["ɪ", "ŋ"]
        }
    }

    private func tapped(_ stem: Sounds) -> Sounds {
        guard accent == .american, stem.last == "t", let before = stem.dropLast().last, Self.beforeTap.contains(before)
        else {
            return stem
        }
        return stem.dropLast() + ["ɾ"]
    }

    /// Returns the word without its ending, if that form is known.
    static func stem(of word: String, _ ending: Ending, isKnown: (String) -> Bool) -> String? {
        func known(_ count: Int, _ added: String = "") -> String? {
            let stem = String(word.dropLast(count)) + added
            return isKnown(stem) ? stem : nil
        }
        let length = word.count
        switch ending {
        case .s:
            guard length > 2, word.hasSuffix("s") else { return nil }
            if !word.hasSuffix("ss"), let stem = known(1) { return stem }
            let isPlural = length > 4 && word.hasSuffix("es") && !word.hasSuffix("ies")
            if word.hasSuffix("'s") || isPlural, let stem = known(2) { return stem }
            return length > 4 && word.hasSuffix("ies") ? known(3, "y") : nil
        case .ed:
            guard length > 3, word.hasSuffix("d") else { return nil }
            if !word.hasSuffix("dd"), let stem = known(1) { return stem }
            return length > 4 && word.hasSuffix("ed") && !word.hasSuffix("eed") ? known(2) : nil
        case .ing:
            guard length > 4, word.hasSuffix("ing") else { return nil }
            if length > 5, let stem = known(3) { return stem }
            if let stem = known(3, "e") { return stem }
            let stem = word.dropLast(3)
            let isDoubled = stem.last == stem.dropLast().last && "bcdgklmnprstvxz".contains(stem.last ?? " ")
            return length > 5 && (isDoubled || stem.hasSuffix("ck")) ? known(4) : nil
        }
    }
}
