import SynthEngineWire
import SynthScript

/// A sentence, or a separately synthesized part of a long sentence, with its word times.
struct TimedSentence: Equatable, Sendable {
    struct Word: Equatable, Sendable {
        /// The byte range in the sentence's text. Never empty.
        var text: Range<Int>
        /// The frame range, which ends at the next word or at the end of the sentence.
        var frames: Range<Int>
    }

    /// The text without line breaks and control characters.
    var text: String
    /// Maps the text to the document.
    var source: SourceMap
    var characters: CharacterPositions
    /// The frame range in the output.
    var frames: Range<Int>
    /// The words in playback order.
    var words: [Word] = []

    /// Maps a range in the text to a byte range in the document.
    func bytes(of range: Range<Int>) -> Range<Int> { source.sourceRange(of: range) }

    /// Maps a range in the text to a character range (Unicode scalars) in the document.
    func characters(of range: Range<Int>) -> Range<Int> {
        characters.range(of: range, in: text)
    }

    func text(of range: Range<Int>) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex)
        let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound, limitedBy: bytes.endIndex)
        return String(decoding: bytes[(start ?? bytes.endIndex)..<(end ?? bytes.endIndex)], as: UTF8.self)
    }
}

/// Assembles events into sentences with their written text. Returns each sentence once its end is known.
struct SentenceCollector {
    private var utterance: Utterance?
    private var start = 0
    /// The end frame of the utterance, once it is known.
    private var end: Int?
    private var words: [(text: Range<Int>, frame: Int)] = []

    /// - Returns: the previous sentence, if a new one starts.
    mutating func take(_ event: SpokenEvent) -> TimedSentence? {
        switch event.kind {
        case .sentence:
            let before = sentence(until: event.frame)
            (utterance, start, end, words) = (event.utterance, event.frame, nil, [])
            return before
        case .word:
            guard let said = event.text, !said.isEmpty else { break }
            let range = utterance?.written?.range(of: said) ?? said
            // If one written word expands to several spoken words, the written word starts with the first spoken word.
            if !range.isEmpty, range != words.last?.text { words.append((range, event.frame)) }
        default: break
        }
        return nil
    }

    /// Sets the end frame of the current utterance.
    mutating func utteranceEnds(at frame: Int) { end = frame }

    /// Returns the last sentence.
    ///
    /// - Parameters:
    ///   - frames: the total length of the audio in frames.
    ///   - timesWords: whether word times are known. If so, an interrupted sentence is truncated after the last word that
    ///     started.
    mutating func finish(at frames: Int, timesWords: Bool) -> TimedSentence? {
        defer { utterance = nil }
        guard utterance != nil, start < frames else { return nil }
        guard end == nil || (end ?? 0) > frames else { return sentence(until: frames) }
        words.removeAll { $0.frame >= frames }
        if timesWords {
            guard let spoken = words.map(\.text.upperBound).max(), let whole = utterance else { return nil }
            let (text, source, characters) = Self.written(whole)
            utterance = Utterance(
                text: String(decoding: text.utf8.prefix(spoken), as: UTF8.self), source: source, pauseAfter: .none,
                characters: characters)
        }
        return sentence(until: frames)
    }

    private func sentence(until limit: Int) -> TimedSentence? {
        guard let utterance else { return nil }
        let end = max(start, min(self.end ?? limit, limit))
        let (text, source, characters) = Self.written(utterance)
        var timed = TimedSentence(text: text, source: source, characters: characters, frames: start..<end)
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1].frame : end
            timed.words.append(.init(text: word.text, frames: word.frame..<max(word.frame, next)))
        }
        return timed
    }

    private static func written(_ utterance: Utterance) -> (String, SourceMap, CharacterPositions) {
        guard let written = utterance.written else {
            return (utterance.text, utterance.source, utterance.characters)
        }
        return (written.text, written.source, written.characters)
    }
}
