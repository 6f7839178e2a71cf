import SynthEngineWire
import SynthScript

/// A sentence, or what of a long one is spoken in one go, with the times at which it and its words sound.
struct TimedSentence: Equatable, Sendable {
    struct Word: Equatable, Sendable {
        /// Its bytes in the sentence's text; not empty.
        var text: Range<Int>
        /// From its first frame to that of the next word, or to the end of the sentence.
        var frames: Range<Int>
    }

    /// Without line breaks and control characters.
    var text: String
    /// Where the text stands in the document.
    var source: SourceMap
    var characters: CharacterPlaces
    /// In the sound as it comes out.
    var frames: Range<Int>
    /// In the order in which they sound.
    var words: [Word] = []

    /// The document's bytes of a range of the text.
    func bytes(of range: Range<Int>) -> Range<Int> { source.sourceRange(of: range) }

    /// The document's characters (Unicode scalars) of a range of the text.
    func characters(of range: Range<Int>) -> Range<Int> {
        characters.range(of: range, in: text)
    }

    /// A part of the text.
    func text(of range: Range<Int>) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex)
        let end = bytes.index(bytes.startIndex, offsetBy: range.upperBound, limitedBy: bytes.endIndex)
        return String(decoding: bytes[(start ?? bytes.endIndex)..<(end ?? bytes.endIndex)], as: UTF8.self)
    }
}

/// Puts the events of a speech together into sentences as they are written, each as soon as its end is known.
struct SentenceCollector {
    private var utterance: Utterance?
    private var start = 0
    /// Where the utterance's sound ends, once that is known.
    private var end: Int?
    private var words: [(text: Range<Int>, frame: Int)] = []

    /// - Returns: the sentence before the one that begins.
    mutating func take(_ event: SpokenEvent) -> TimedSentence? {
        switch event.kind {
        case .sentence:
            let before = sentence(until: event.frame)
            (utterance, start, end, words) = (event.utterance, event.frame, nil, [])
            return before
        case .word:
            guard let said = event.text, !said.isEmpty else { break }
            let range = utterance?.written?.range(of: said) ?? said
            // Of the words that are said for one that is written, the first is its beginning.
            if !range.isEmpty, range != words.last?.text { words.append((range, event.frame)) }
        default: break
        }
        return nil
    }

    /// The sound of what began last ends before this frame.
    mutating func utteranceEnds(at frame: Int) { end = frame }

    /// The sentence that began last, after everything.
    ///
    /// - Parameters:
    ///   - frames: of the whole sound.
    ///   - timesWords: of a sentence that was stopped, only what began to sound is left if words are known.
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

    private static func written(_ utterance: Utterance) -> (String, SourceMap, CharacterPlaces) {
        guard let written = utterance.written else {
            return (utterance.text, utterance.source, utterance.characters)
        }
        return (written.text, written.source, written.characters)
    }
}
