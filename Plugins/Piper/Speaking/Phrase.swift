import Phonemes

/// What one run of the model speaks: a sentence, or a part of one that is too long or contains a pause.
struct Phrase {
    /// The most symbols of one run. A medium voice needs about 25 MB for each second of a run; this is some 20 s.
    static let limit = 300

    /// In the sentence's `scalars`.
    var symbols: Range<Int>
    /// Frames of silence after it.
    var silence: Int

    /// Symbols before and after an early cut, at least.
    private static let clause = 20

    /// - Parameter isCutEarly: Whether a first clause is a phrase of its own, so that it is computed soon.
    static func phrases(
        of sentence: PhonemeSentence, silences: [Unicode.Scalar: Int], isCutEarly: Bool = false
    ) -> [Phrase] {
        var phrases: [Phrase] = []
        var start = 0
        func append(_ end: Int, _ silence: Int) {
            let cuts = sentence.part(start..<end).cuts(atMost: limit)
            for (index, cut) in cuts.enumerated() {
                phrases.append(
                    Phrase(
                        symbols: cut.lowerBound + start..<cut.upperBound + start,
                        silence: index == cuts.count - 1 ? silence : 0))
            }
            start = end
        }
        if isCutEarly, silences.isEmpty, let end = endOfClause(sentence.scalars) {
            append(end, 0)
            while start < sentence.scalars.count, sentence.scalars[start] == " " { start += 1 }
        }
        if !silences.isEmpty {
            for (index, scalar) in sentence.scalars.enumerated() {
                if let silence = silences[scalar] { append(index + 1, silence) }
            }
        }
        append(sentence.scalars.count, 0)
        return phrases
    }

    private static func endOfClause(_ symbols: [Unicode.Scalar]) -> Int? {
        guard symbols.count >= 2 * clause else { return nil }
        let mark = symbols[clause...].dropLast(clause).firstIndex { $0 == "," || $0 == ";" || $0 == ":" }
        return mark.map { $0 + 1 }
    }
}
