package import EngineKit

/// Computes the events of a chunk and their times.
package enum ChunkEvents {
    /// What starts at an event's first frame.
    package enum Kind: Hashable, Sendable {
        case sentence, word, phoneme(String)
    }

    package struct Event: Equatable, Sendable {
        package var kind: Kind
        /// The frame range, relative to the first audible frame of the chunk.
        package var frames: Range<Int>
        /// The UTF-8 range in the text; empty if unknown.
        package var bytes: Range<Int>

        package init(_ kind: Kind, frames: Range<Int>, bytes: Range<Int>) {
            self.kind = kind
            self.frames = frames
            self.bytes = bytes
        }

        /// The same event at the first frame, for a chunk that is not synthesized.
        package var withoutTime: Event { Event(kind, frames: 0..<0, bytes: bytes) }
    }

    /// Returns the events, ordered by time. If the token times are unknown, the only event is the start of the first
    /// sentence.
    ///
    /// - Parameter sound: The audible range of the model's frames.
    package static func events(
        of chunk: Chunk, _ times: TokenTimes?, sound: Range<Int>, wanted: EventKinds
    ) -> [Event] {
        var events: [Event] = []
        func add(_ kind: Kind, _ frames: Range<Int>, _ bytes: Range<Int>) {
            let inside = frames.clamped(to: sound)
            let start = inside.lowerBound - sound.lowerBound
            events.append(Event(kind, frames: start..<start + inside.count, bytes: bytes))
        }
        if wanted.contains(.sentences) {
            for sentence in chunk.sentences {
                if sentence.symbol == 0 {
                    events.append(Event(.sentence, frames: 0..<0, bytes: sentence.bytes))
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
        // Sorting is stable, so a sentence precedes its first word, and a word precedes its first phoneme.
        return events.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }

    /// Returns the events of a chunk that is not synthesized, in spoken order, all at the first frame.
    package static func list(of chunk: Chunk, wanted: EventKinds) -> [Event] {
        let units = [Double](repeating: 1, count: chunk.symbols.count + 2)
        let times = TokenTimes(durations: units, symbols: chunk.symbols, frameCount: units.count, lead: 0)
        return events(of: chunk, times, sound: 0..<units.count, wanted: wanted).map(\.withoutTime)
    }
}

extension SpeechOutput {
    /// Reports a chunk's events. Call this before writing the chunk's audio.
    package func tell(_ events: [ChunkEvents.Event]) throws {
        let start = frame
        for event in events {
            let frame = start + UInt64(event.frames.lowerBound)
            let count = UInt64(event.frames.count)
            switch event.kind {
            case .sentence: try sentence(event.bytes, at: frame)
            case .word: try word(event.bytes, at: frame, frameCount: count)
            case .phoneme(let ipa): try phoneme(ipa, bytes: event.bytes, at: frame, frameCount: count)
            }
        }
    }
}

extension EngineLog {
    /// Warns about characters that were skipped, if there are any.
    ///
    /// - Parameter lack: What the characters lack, such as "a Kokoro symbol".
    package static func warn(ofSkipped counts: [Unicode.Scalar: Int], without lack: String) {
        guard !counts.isEmpty else { return }
        let list = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
            .map { "\"\($0.key)\" ×\($0.value)" }.joined(separator: ", ")
        warning("Skipped characters without \(lack): \(list).")
    }
}

/// A phoneme in a chunk: a letter with its modifiers.
package struct SpokenPhoneme: Equatable {
    /// The phoneme's range in the chunk's symbols.
    package var symbols: Range<Int>
    /// The phoneme in IPA. Kokoro's single letters for diphthongs and affricates are expanded.
    package var label: String

    private static let letters: [Unicode.Scalar: String] = [
        "A": "eɪ", "I": "aɪ", "O": "oʊ", "Q": "əʊ", "S": "s", "T": "ɾ", "W": "aʊ", "Y": "ɔɪ", "ʣ": "dz", "ʤ": "dʒ",
        "ʥ": "dʑ", "ʦ": "ts", "ʧ": "tʃ", "ʨ": "tɕ", "ᵊ": "ə",
    ]
    private static let before: Set<Unicode.Scalar> = ["ˈ", "ˌ"]
    private static let after: Set<Unicode.Scalar> = ["ː", "ʰ", "ʲ", "\u{303}", "ᵝ"]

    /// Returns the phonemes of these symbols, without spaces and punctuation.
    package static func all(in symbols: [Unicode.Scalar]) -> [SpokenPhoneme] {
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
