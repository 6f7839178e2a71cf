import Glibc

/// A word as it was said.
package struct TranscribedWord: Equatable, Sendable {
    /// Its bytes in the segment's text, punctuation among them.
    package var bytes: Range<Int>
    /// From the first sample on.
    package var seconds: ClosedRange<Double>
    /// 0 … 1
    package var confidence: Double
}

/// Some words that the model puts together, a sentence as a rule. It does not change any more.
package struct TranscribedSegment: Equatable, Sendable {
    /// Without spaces at its ends, never empty.
    package var text: String
    /// From the first sample on.
    package var seconds: ClosedRange<Double>
    /// In order; empty if they were not asked for, or the model cannot tell when words are said.
    package var words: [TranscribedWord] = []
    /// 0 … 1
    package var confidence: Double
    /// BCP-47
    package var language: String
    /// That nobody speaks in its window, 0 … 1.
    package var probabilityOfQuiet = 0.0
    /// How many times smaller zlib makes the text of its window.
    package var repetition = 0.0
    /// At which its tokens were drawn.
    package var temperature = 0.0
}

/// All that was understood.
package struct Transcript: Equatable, Sendable {
    package var segments: [TranscribedSegment] = []

    /// One line, a space between segments; in languages without spaces, none.
    package var text: String {
        segments.reduce(into: "") { text, segment in
            if !text.isEmpty, !WhisperLanguage.hasNoSpaces(WhisperLanguage.code(of: segment.language)) { text += " " }
            text += segment.text
        }
    }
}

/// What is told while sound is heard.
package enum TranscriptionEvent: Equatable, Sendable {
    /// Of what follows the last segment, as it is understood by now. Takes the place of the partial before it, and may change as a
    /// whole: with more sound the model reads everything anew.
    case partial(text: String, seconds: ClosedRange<Double>)
    case segment(TranscribedSegment)
    /// What the model wrote for this part of the sound was hardly said, and was left out.
    case dropped(seconds: ClosedRange<Double>)
    /// How much of the sound that was read is understood, 0 … 1. Told after every token.
    case progress(Double)
}

/// What is wanted of a transcription.
package struct DecodingOptions: Sendable {
    /// BCP-47; `nil` = find out. English-only models take nothing else for English.
    package var language: String?
    package var toEnglish = false
    /// Whether segments have times of their own. Without them a window is one segment, which takes some tokens less.
    package var isTimed = true
    package var wantsWords = false
    package var wantsPartials = false
    /// Whether somebody waits for a few words: a short sound is understood sooner then, but not to the same tokens.
    package var isBrief = false
    /// Texts that are followed at a time; 1 is greedy, 5 makes fewer mistakes and takes about twice as long.
    package var width = 1
    /// What was said before, or a sentence with names and terms.
    package var hints: String?
    /// Names and terms that may occur: they are found sooner than by the model alone.
    package var phrases: [String] = []
    package var phraseBonus = (token: 3.0, letter: 1.0)
    /// Whether the text of a window leads the next one: names stay alike, and so do mistakes.
    package var leadsOn = true

    package init() {}
}

/// Makes segments of the tokens of a window.
struct SegmentMaker {
    let table: TokenTable
    /// Of the window's beginning.
    let offset: Double
    /// Of the window.
    let length: Double

    /// Words between two times, or those after the last one.
    struct Part: Equatable {
        /// Places in the window's tokens.
        var places: [Int] = []
        var start: Double
        /// `nil` if the model did not say where it ends.
        var end: Double?
    }

    func parts(_ tokens: [Int]) -> [Part] {
        var parts: [Part] = []
        var part = Part(start: 0)
        for (place, token) in tokens.enumerated() {
            if table.isText(token) {
                part.places.append(place)
            } else if table.isTime(token) {
                let seconds = min(table.seconds(token), length)
                if !part.places.isEmpty {
                    part.end = max(seconds, part.start)
                    parts.append(part)
                }
                part = Part(start: max(seconds, part.start))
            }
        }
        return part.places.isEmpty ? parts : parts + [part]
    }

    /// `nil` if it says nothing.
    func segment(_ part: Part, of text: WindowText) -> TranscribedSegment? {
        let language = text.language ?? "en"
        let pieces = words(part, of: text, hasSpaces: !WhisperLanguage.hasNoSpaces(language))
        var whole = ""
        var words: [TranscribedWord] = []
        let order = Dictionary(
            uniqueKeysWithValues: text.tokens.indices.filter { table.isText(text.tokens[$0]) }.enumerated().map {
                ($0.element, $0.offset)
            })
        for piece in pieces {
            var said = table.text(piece.map { text.tokens[$0] })
            if whole.isEmpty { said = String(said.drop { $0.isWhitespace }) }
            let spaces = said.prefix { $0.isWhitespace }.utf8.count
            let start = whole.utf8.count + spaces
            whole += said
            guard let spans = text.spans, let first = piece.first.flatMap({ order[$0] }),
                let last = piece.last.flatMap({ order[$0] }), spans.indices.contains(first),
                spans.indices.contains(last),
                start < whole.utf8.count
            else { continue }
            words.append(
                TranscribedWord(
                    bytes: start..<whole.utf8.count,
                    seconds: offset + spans[first].lowerBound...offset
                        + max(spans[first].lowerBound, spans[last].upperBound),
                    confidence: confidence(piece, of: text)))
        }
        while whole.last?.isWhitespace == true { whole.removeLast() }
        guard !whole.isEmpty else { return nil }
        words = words.compactMap { word in
            var word = word
            word.bytes = word.bytes.clamped(to: 0..<whole.utf8.count)
            return word.bytes.isEmpty ? nil : word
        }
        var segment = TranscribedSegment(
            text: whole, seconds: offset + part.start...offset + max(part.start, part.end ?? length), words: words,
            confidence: confidence(part.places, of: text), language: WhisperLanguage.tag(of: language))
        segment.probabilityOfQuiet = text.probabilityOfQuiet
        (segment.repetition, segment.temperature) = (text.repetition, text.temperature)
        return segment
    }

    private func confidence(_ places: [Int], of text: WindowText) -> Double {
        let logarithms = places.compactMap { text.logarithms.indices.contains($0) ? text.logarithms[$0] : nil }
        guard !logarithms.isEmpty else { return 0 }
        return min(1, max(0, exp(logarithms.reduce(0, +) / Double(logarithms.count))))
    }

    /// Places of tokens that are a word each: a space begins one, or, where there are none, every whole character.
    private func words(_ part: Part, of text: WindowText, hasSpaces: Bool) -> [[Int]] {
        var words: [[Int]] = []
        var bytes: [UInt8] = []
        for place in part.places {
            let next = table.bytes(text.tokens[place])
            let begins =
                hasSpaces
                ? next.first == UInt8(ascii: " ") : String(validating: bytes, as: UTF8.self) != nil && !bytes.isEmpty
            if words.isEmpty || begins {
                words.append([place])
                bytes = next
            } else {
                words[words.count - 1].append(place)
                bytes += next
            }
        }
        return words
    }
}
