package import EngineKit
import Glibc

/// A transcribed word.
package struct TranscribedWord: Equatable, Sendable {
    /// The word's byte range in the segment's text, including punctuation.
    package var bytes: Range<Int>
    /// The start and end, in seconds from the first sample.
    package var seconds: ClosedRange<Double>
    /// The confidence, 0 to 1.
    package var confidence: Double
}

/// Words that the model groups together, usually a sentence. Segments are final.
package struct TranscribedSegment: Equatable, Sendable {
    /// The text without leading and trailing spaces; never empty.
    package var text: String
    /// The start and end, in seconds from the first sample.
    package var seconds: ClosedRange<Double>
    /// The words in order; empty if not requested, or if the model cannot align words.
    package var words: [TranscribedWord] = []
    /// The confidence, 0 to 1.
    package var confidence: Double
    /// The BCP 47 tag of the language.
    package var language: String
    /// The probability that the segment's window contains no speech, 0 to 1.
    package var probabilityOfQuiet = 0.0
    /// The zlib compression ratio of the window's text.
    package var repetition = 0.0
    /// The sampling temperature; 0 if the tokens were not sampled.
    package var temperature = 0.0
}

/// The complete transcript.
package struct Transcript: Equatable, Sendable {
    package var segments: [TranscribedSegment] = []

    /// The text as a single line, with spaces between segments unless the language is written without spaces.
    package var text: String {
        segments.reduce(into: "") { text, segment in
            if !text.isEmpty, !WhisperLanguage.hasNoSpaces(WhisperLanguage.code(of: segment.language)) { text += " " }
            text += segment.text
        }
    }
}

/// An event reported during a transcription.
package enum TranscriptionEvent: Equatable, Sendable {
    /// Provisional text for the audio after the last segment. It replaces the previous partial text.
    ///
    /// The first `stable` bytes, which end at a word boundary, are final: later partial texts and segments begin with them.
    case partial(text: String, stable: Int, seconds: ClosedRange<Double>)
    case segment(TranscribedSegment)
    /// Text that was omitted because it was probably not spoken.
    case leftOut(TranscribedSegment, LeftOutReason)
    /// The fraction of the received audio that has been transcribed, 0 to 1. Reported after every token.
    case progress(Double)
}

/// The settings of a transcription.
package struct DecodingOptions: Sendable {
    /// A BCP 47 tag; if `nil`, the language is detected. English-only models always use English.
    package var language: String?
    package var toEnglish = false
    /// Whether to divide windows into timed segments. If false, each window is a segment, and slightly fewer tokens are
    /// needed.
    package var isTimed = true
    package var wantsWords = false
    package var wantsPartials = false
    /// Whether to report the beginning of a window's text during the search.
    package var showsSearch = false
    /// Whether short audio is transcribed faster. The tokens may then differ.
    package var isBrief = false
    /// The beam width; 1 is a greedy search. A width of 5 results in fewer errors but takes about twice as long.
    package var width = 1
    /// Text that precedes the audio, or a sentence with names and terms.
    package var hints: String?
    /// Names and terms that may occur and are preferred by the search.
    package var phrases: [String] = []
    package var phraseBonus = (token: 2.0, letter: 0.7)
    /// Whether the text of each window serves as context for the next one. This keeps names consistent, but mistakes
    /// may be repeated.
    package var leadsOn = true

    package init() {}
}

/// Splits a window's tokens into segments.
struct SegmentMaker {
    let table: TokenTable
    /// The start of the window in seconds.
    let offset: Double
    /// The window's length in seconds.
    let length: Double

    /// The tokens between two timestamps, or after the last timestamp.
    struct Part: Equatable {
        /// Indices into the window's tokens.
        var places: [Int] = []
        var start: Double
        /// The end in seconds; `nil` if the model did not produce an end timestamp.
        var end: Double?
    }

    func parts(_ tokens: [Int]) -> [Part] {
        var parts: [Part] = []
        var part = Part(start: 0)
        for (position, token) in tokens.enumerated() {
            if table.isText(token) {
                part.places.append(position)
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

    /// Returns `nil` if the part has no text.
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

    /// Returns the token indices of each word. A word starts at a space or, in languages without spaces, at each
    /// complete character.
    private func words(_ part: Part, of text: WindowText, hasSpaces: Bool) -> [[Int]] {
        var words: [[Int]] = []
        var bytes: [UInt8] = []
        for position in part.places {
            let next = table.bytes(text.tokens[position])
            let begins =
                hasSpaces
                ? next.first == UInt8(ascii: " ") : String(validating: bytes, as: UTF8.self) != nil && !bytes.isEmpty
            if words.isEmpty || begins {
                words.append([position])
                bytes = next
            } else {
                words[words.count - 1].append(position)
                bytes += next
            }
        }
        return words
    }
}
