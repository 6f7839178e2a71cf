import EngineWire
import SpeechScript

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
