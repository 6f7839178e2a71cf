/// Times the subtitles of a sentence by its words, and by their share of the text where no word says it.
struct CueTimer {
    let sampleRate: Int

    /// In the order in which they sound.
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

    /// A byte of the text whose time is known.
    private struct Anchor {
        var byte: Int
        var frame: Int
        var isWord = true
    }

    /// In the order of the text as well as of the time.
    private func anchors(of sentence: TimedSentence) -> [Anchor] {
        var anchors = [Anchor(byte: 0, frame: sentence.frames.lowerBound, isWord: false)]
        for word in sentence.words.sorted(by: { $0.text.lowerBound < $1.text.lowerBound }) {
            guard let last = anchors.last else { continue }
            // A number of several words has one place in the text.
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
