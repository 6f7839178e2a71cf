import EngineKit
import SynthPhonemes

/// What begins to sound in a chunk, and when.
enum ChunkEvents {
    enum Kind: Hashable {
        case sentence, word, phoneme(String)
    }

    struct Event: Equatable {
        var kind: Kind
        /// Counted from the first frame of the chunk that is heard.
        var frames: Range<Int>
        /// In the UTF-8 of the text; empty if not known.
        var bytes: Range<Int>
    }

    /// The events in the order in which they sound. Without times only the beginning of the first sentence is known.
    ///
    /// - Parameter sound: The range of the model's frames that is heard.
    static func events(
        of chunk: Chunk, _ times: TokenTimes?, sound: Range<Int>, wanted: EventKinds
    ) -> [Event] {
        var events: [Event] = []
        func add(_ kind: Kind, _ frames: Range<Int>, _ bytes: Range<Int>) {
            let inside = frames.clamped(to: sound)
            let start = inside.lowerBound - sound.lowerBound
            events.append(Event(kind: kind, frames: start..<start + inside.count, bytes: bytes))
        }
        if wanted.contains(.sentences) {
            for sentence in chunk.sentences {
                if sentence.symbol == 0 {
                    events.append(Event(kind: .sentence, frames: 0..<0, bytes: sentence.bytes))
                } else if let times {
                    add(.sentence, times.frames(of: sentence.symbol..<sentence.symbol + 1), sentence.bytes)
                }
            }
        }
        guard let times else { return events }
        if wanted.contains(.words) {
            for word in chunk.words { add(.word, times.frames(of: word.symbols), word.bytes) }
        }
        if wanted.contains(.phonemes) {
            var words = chunk.words[...]
            for phoneme in SpokenPhoneme.all(in: chunk.symbols) {
                while let word = words.first, word.symbols.upperBound <= phoneme.symbols.lowerBound {
                    words.removeFirst()
                }
                let word = words.first.flatMap { $0.symbols.overlaps(phoneme.symbols) ? $0 : nil }
                add(.phoneme(phoneme.label), times.frames(ofSymbols: phoneme.symbols), word?.bytes ?? 0..<0)
            }
        }
        // The sort is stable: a sentence stands before its first word, a word before its first sound.
        return events.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }
}

/// One sound of a chunk: a letter with the marks that are written with it.
struct SpokenPhoneme: Equatable {
    /// In the chunk's symbols.
    var symbols: Range<Int>
    /// In IPA: Kokoro's own letters for two sounds are written out.
    var label: String

    private static let letters: [Unicode.Scalar: String] = [
        "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "S": "s", "T": "ɾ", "W": "aʊ", "Y": "ɔɪ", "ʣ": "dz", "ʤ": "dʒ",
        "ʥ": "dʑ", "ʦ": "ts", "ʧ": "tʃ", "ʨ": "tɕ", "ᵊ": "ə",
    ]
    private static let before: Set<Unicode.Scalar> = ["ˈ", "ˌ"]
    private static let after: Set<Unicode.Scalar> = ["ː", "ʰ", "ʲ", "\u{303}", "ᵝ"]

    /// The sounds of these symbols, without spaces and punctuation.
    static func all(in symbols: [Unicode.Scalar]) -> [SpokenPhoneme] {
        var phonemes: [SpokenPhoneme] = []
        var start: Int?
        for (index, symbol) in symbols.enumerated() {
            if before.contains(symbol) {
                start = start ?? index
            } else if after.contains(symbol) {
                guard let last = phonemes.last, last.symbols.upperBound == index else { continue }
                phonemes[phonemes.count - 1].symbols = last.symbols.lowerBound..<index + 1
                phonemes[phonemes.count - 1].label.unicodeScalars.append(symbol)
            } else if symbol.properties.isAlphabetic {
                let marks = String(String.UnicodeScalarView(symbols[(start ?? index)..<index]))
                phonemes.append(
                    SpokenPhoneme(
                        symbols: (start ?? index)..<index + 1, label: marks + (letters[symbol] ?? String(symbol))))
                start = nil
            } else {
                start = nil
            }
        }
        return phonemes
    }
}

/// When each word of a chunk sounds.
///
/// Computed like Kokoro's own pipeline does (`join_timestamps`): each word gets half of the space beside it, and
/// everything sounds a little earlier than the durations say.
struct TokenTimes {
    /// Frames of the model by which everything sounds earlier, at most those of the first pad.
    private static let lead = 3.0

    private let symbols: [Unicode.Scalar]
    /// Token `n`, pads included, sounds from frame `edges[n]` to `edges[n + 1]`.
    private let edges: [Double]
    private let frameCount: Int

    /// - Parameters:
    ///   - durations: One for each token, pads included, in the model's own unit. Together they are the whole sound.
    ///   - symbols: Those of the tokens between the pads.
    ///   - frameCount: The length of the sound.
    /// - Returns: `nil` if the durations do not fit the symbols.
    init?(durations: [Double], symbols: [Unicode.Scalar], frameCount: Int) {
        let total = durations.reduce(0, +)
        guard durations.count == symbols.count + 2, total > 0, total.isFinite, (Double(frameCount) / total).isFinite,
            durations.allSatisfy({ $0 >= 0 })
        else {
            return nil
        }
        // The unit differs between models, so it is computed from the sum.
        let unit = Double(frameCount) / total
        guard unit.isFinite else { return nil }
        let lead = min(durations.first ?? 0, Self.lead)
        var sum = -lead
        edges =
            [0]
            + durations.map { duration in
                sum += duration
                return min(max(sum * unit, 0), Double(frameCount))
            }
        self.symbols = symbols
        self.frameCount = frameCount
    }

    /// When a word sounds, in frames of the chunk, with half of each space beside it. The first token is a pad.
    func frames(of word: Range<Int>) -> Range<Int> {
        let start = isSpace(word.lowerBound - 1) ? middle(word.lowerBound - 1) : edges[word.lowerBound + 1]
        let end = isSpace(word.upperBound) ? middle(word.upperBound) : edges[word.upperBound + 1]
        return Int(start)..<max(Int(start), Int(end))
    }

    /// The same without the spaces.
    func frames(ofSymbols symbols: Range<Int>) -> Range<Int> {
        let start = Int(edges[symbols.lowerBound + 1])
        return start..<max(start, Int(edges[symbols.upperBound + 1]))
    }

    private func isSpace(_ symbol: Int) -> Bool {
        symbols.indices.contains(symbol) && symbols[symbol] == SpokenSentence.space
    }

    private func middle(_ symbol: Int) -> Double { (edges[symbol + 1] + edges[symbol + 2]) / 2 }
}
