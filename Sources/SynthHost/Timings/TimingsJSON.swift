import LocatedJSON

/// The times of sentences and words as JSON, one sentence on a line. Times are seconds from the beginning of the sound;
/// `bytes` and `characters` (Unicode scalars) are places in the text that was spoken, from the first to before the last.
struct TimingsJSON {
    private let sampleRate: Int
    private var isFirst = true

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// What stands before the first sentence.
    func head(_ kind: TimingsKind, _ origin: TimingsOrigin) -> String {
        """
        {
          "timing": \(JSONString.quoted(kind.rawValue)),
          "engine": \(JSONString.quoted(origin.engine)),
          "voice": \(JSONString.quoted(origin.voice)),
          "sentences": [
        """
    }

    mutating func line(_ sentence: TimedSentence, _ kind: TimingsKind) -> String {
        defer { isFirst = false }
        let count = sentence.text.utf8.count
        var members = place(0..<count, sentence.frames, of: sentence)
        if kind == .words {
            let words = sentence.words.map { "{\(place($0.text, $0.frames, of: sentence))}" }
            members += ", \"words\": [\(words.joined(separator: ", "))]"
        }
        return (isFirst ? "" : ",") + "\n    {\(members)}"
    }

    /// What follows the last sentence.
    /// - Parameters:
    ///   - frames: of the whole sound.
    ///   - isComplete: whether all of the text was spoken.
    func tail(frames: Int, isComplete: Bool) -> String {
        """
        \(isFirst ? "" : "\n  ")],
          "seconds": \(seconds(frames)),
          "complete": \(isComplete)
        }

        """
    }

    private func place(_ range: Range<Int>, _ frames: Range<Int>, of sentence: TimedSentence) -> String {
        let (bytes, characters) = (sentence.bytes(of: range), sentence.characters(of: range))
        return """
            "start": \(seconds(frames.lowerBound)), "end": \(seconds(frames.upperBound)), \
            "text": \(JSONString.quoted(sentence.text(of: range))), \
            "bytes": [\(bytes.lowerBound), \(bytes.upperBound)], \
            "characters": [\(characters.lowerBound), \(characters.upperBound)]
            """
    }

    /// To the microsecond.
    private func seconds(_ frame: Int) -> String {
        let rate = max(1, sampleRate)
        let part = (frame % rate * 1_000_000 + rate / 2) / rate
        return JSONWriter.text(of: Double(frame / rate * 1_000_000 + part) / 1_000_000)
    }
}
