import SynthSystem

struct Cue: Equatable {
    /// The start in milliseconds, relative to the start of the audio. It is less than `end`.
    var start: Int
    var end: Int
    var lines: [String]

    /// The reading time in milliseconds: one second for every 20 columns, but at least one second.
    var readingTime: Int { max(1000, lines.reduce(0) { $0 + DisplayWidth.columns($1) } * 50) }
}

/// Computes cue times for a sentence from its word times. Interpolates between known times in proportion to the length
/// of the text.
struct CueTimer {
    let sampleRate: Int

    /// Returns the cues in playback order.
    func cues(of sentence: TimedSentence) -> [Cue] {
        let texts = CueText.split(sentence.text)
        let anchors = anchors(of: sentence)
        let starts = texts.map { text in
            let word = anchors.first { $0.byte >= text.range.lowerBound && $0.isWord }
            guard let word, word.byte < text.range.upperBound else { return frame(of: text.range.lowerBound, anchors) }
            return word.frame
        }
        return texts.indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] : sentence.frames.upperBound
            return Cue(start: milliseconds(starts[index]), end: milliseconds(end), lines: texts[index].lines)
        }
    }

    func milliseconds(_ frame: Int) -> Int {
        let rate = max(1, sampleRate)
        return frame / rate * 1000 + (frame % rate * 1000 + rate / 2) / rate
    }

    /// A byte offset with a known time.
    private struct Anchor {
        var byte: Int
        var frame: Int
        var isWord = true
    }

    /// Returns the known times of a sentence, sorted both by text position and by time.
    private func anchors(of sentence: TimedSentence) -> [Anchor] {
        var anchors = [Anchor(byte: 0, frame: sentence.frames.lowerBound, isWord: false)]
        for word in sentence.words.sorted(by: { $0.text.lowerBound < $1.text.lowerBound }) {
            guard let last = anchors.last else { continue }
            // If a number expands to several words, the words share a text position.
            if last.isWord, last.byte == word.text.lowerBound { continue }
            let frame = min(max(word.frames.lowerBound, last.frame), sentence.frames.upperBound)
            anchors.append(Anchor(byte: word.text.lowerBound, frame: frame))
        }
        anchors.append(
            Anchor(byte: sentence.text.utf8.count, frame: sentence.frames.upperBound, isWord: false))
        return anchors
    }

    private func frame(of byte: Int, _ anchors: [Anchor]) -> Int {
        guard let next = anchors.firstIndex(where: { $0.byte > byte }), next > 0 else {
            return anchors.last?.frame ?? 0
        }
        let (before, after) = (anchors[next - 1], anchors[next])
        let share = Double(byte - before.byte) / Double(after.byte - before.byte)
        return before.frame + Int(Double(after.frame - before.frame) * share)
    }
}

/// Sequences cues so that they do not overlap. A cue stays visible long enough to be read if there is time before the
/// next cue.
struct CueSequence {
    /// The most recent cue, which is held back because its end depends on the next cue.
    private var held: Cue?

    /// - Returns: the previous cue with its final end, or nil for the first cue.
    mutating func append(_ cue: Cue) -> Cue? {
        var cue = cue
        defer { held = cue }
        guard let last = held else { return nil }
        cue.start = max(cue.start, last.start + 1)
        return Self.finished(last, until: cue.start)
    }

    /// - Parameter end: the end of the audio in milliseconds.
    /// - Returns: the last cue.
    mutating func finish(at end: Int) -> Cue? {
        defer { held = nil }
        return held.map { Self.finished($0, until: end) }
    }

    private static func finished(_ cue: Cue, until limit: Int) -> Cue {
        var cue = cue
        cue.end = max(cue.start + 1, min(max(cue.end, cue.start + cue.readingTime), limit))
        return cue
    }
}
