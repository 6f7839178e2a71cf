import EngineKit
import SynthPhonemes
import SynthSymbols

/// The input for a run of the model: a sentence, or part of a sentence that is too long or contains a pause.
struct Phrase {
    /// The maximum number of symbols per run, which corresponds to about 20 s of audio. A medium-quality voice needs
    /// about 25 MB of memory per second of audio.
    static let limit = 300

    /// The phrase's range in the sentence's `scalars`.
    var symbols: Range<Int>
    /// The number of silent frames after the phrase.
    var silence: Int

    /// The minimum number of symbols on each side of an early cut.
    private static let clause = 20

    /// - Parameter isCutEarly: Whether to make the first clause a separate phrase so that its audio is ready sooner.
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

/// Converts the symbol times of a phrase to events.
enum PhraseEvents {
    /// - Parameter words: The words of the sentence or of the phrase, in order.
    static func events(
        of phrase: Phrase, in sentence: PhonemeSentence, _ words: [PhonemeWord], _ timeline: Timeline?,
        wanted: EventKinds
    ) -> [ChunkEvents.Event] {
        var events: [ChunkEvents.Event] = []
        if wanted.contains(.sentences), phrase.symbols.lowerBound == 0 {
            events.append(ChunkEvents.Event(.sentence, frames: 0..<0, bytes: sentence.bytes))
        }
        guard let timeline else { return events }
        let start = phrase.symbols.lowerBound
        func frames(_ symbols: Range<Int>) -> Range<Int>? {
            let inside = symbols.clamped(to: phrase.symbols)
            return timeline.frames(of: inside.lowerBound - start..<inside.upperBound - start)
        }
        let words = words.filter { $0.symbols.overlaps(phrase.symbols) }
        // A split word belongs to the phrase in which it starts.
        for word in words where wanted.contains(.words) && phrase.symbols.contains(word.symbols.lowerBound) {
            if let frames = frames(word.symbols) {
                events.append(ChunkEvents.Event(.word, frames: frames, bytes: word.bytes))
            }
        }
        if wanted.contains(.phonemes) {
            for location in Timeline.phonemes(of: Array(sentence.scalars[phrase.symbols])) {
                let symbols = location.lowerBound + start..<location.upperBound + start
                guard let frames = frames(symbols) else { continue }
                let label = String(String.UnicodeScalarView(sentence.scalars[symbols]))
                let bytes = words.first { $0.symbols.overlaps(symbols) }?.bytes ?? 0..<0
                events.append(ChunkEvents.Event(.phoneme(label), frames: frames, bytes: bytes))
            }
        }
        return events.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }
}
