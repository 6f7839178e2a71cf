import SynthJSON
import SynthSystem

/// Converts sentences to the text of a timings file.
struct TimingsText {
    private enum Form {
        case subtitles(SubtitleText, CueTimer, CueSequence)
        case json(TimingsJSON)
    }

    let kind: TimingsKind
    /// The beginning of the file.
    let head: String
    private var form: Form

    init(_ format: TimingsFormat, _ kind: TimingsKind, _ origin: TimingsOrigin, sampleRate: Int) {
        self.kind = kind
        switch format {
        case .srt, .vtt:
            let text = SubtitleText(isWebVTT: format == .vtt)
            head = text.head(kind, origin)
            form = .subtitles(text, CueTimer(sampleRate: sampleRate), CueSequence())
        case .json:
            let text = TimingsJSON(sampleRate: sampleRate)
            head = text.head(kind, origin)
            form = .json(text)
        }
    }

    /// Adds a sentence and returns the text that is ready to be written. Sentences must be added in playback order.
    mutating func append(_ sentence: TimedSentence) -> String {
        var sentence = sentence
        if kind == .sentences { sentence.words = [] }
        switch form {
        case .subtitles(var text, let timer, var sequence):
            defer { form = .subtitles(text, timer, sequence) }
            return timer.cues(of: sentence).reduce(into: "") { result, cue in
                if let done = sequence.append(cue) { result += text.block(done) }
            }
        case .json(var text):
            defer { form = .json(text) }
            return text.line(sentence, kind)
        }
    }

    /// Returns the remaining text.
    ///
    /// - Parameters:
    ///   - frames: the total length of the audio in frames.
    ///   - isComplete: whether the speech was completed.
    mutating func finish(frames: Int, isComplete: Bool) -> String {
        switch form {
        case .subtitles(var text, let timer, var sequence):
            return sequence.finish(at: timer.milliseconds(frames)).map { text.block($0) } ?? ""
        case .json(let text): return text.tail(frames: frames, isComplete: isComplete)
        }
    }
}

/// Formats subtitles as SubRip or WebVTT.
struct SubtitleText {
    let isWebVTT: Bool
    private var count = 0

    init(isWebVTT: Bool) { self.isWebVTT = isWebVTT }

    /// Returns the text before the first cue.
    func head(_ kind: TimingsKind, _ origin: TimingsOrigin) -> String {
        guard isWebVTT else { return "" }
        let engine = origin.engineTitle.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "WEBVTT\n\nNOTE \(engine) provided the timings of \(kind.rawValue).\n\n"
            .replacing("-->", with: "->")
    }

    mutating func block(_ cue: Cue) -> String {
        count += 1
        let number = isWebVTT ? "" : "\(count)\n"
        let lines = cue.lines.map(escaped).joined(separator: "\n")
        return "\(number)\(time(cue.start)) --> \(time(cue.end))\n\(lines)\n\n"
    }

    private func time(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        let fraction = (isWebVTT ? "." : ",") + padded(milliseconds % 1000, 3)
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))\(fraction)"
    }

    private func escaped(_ line: String) -> String {
        // SubRip has no escape sequences, and `-->` would be parsed as a time range.
        guard isWebVTT else { return line.replacing("-->", with: "→") }
        var text = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// Formats sentence and word timings as JSON, one sentence per line. Times are in seconds from the start of the audio.
/// `bytes` and `characters` (Unicode scalars) are half-open ranges in the source text.
struct TimingsJSON {
    private let sampleRate: Int
    private var isFirst = true

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Returns the text before the first sentence.
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

    /// Returns the text after the last sentence.
    ///
    /// - Parameters:
    ///   - frames: the total length of the audio in frames.
    ///   - isComplete: whether the speech was completed.
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

    /// Converts a frame to seconds with microsecond precision.
    private func seconds(_ frame: Int) -> String {
        let rate = max(1, sampleRate)
        let part = (frame % rate * 1_000_000 + rate / 2) / rate
        return JSONWriter.text(of: Double(frame / rate * 1_000_000 + part) / 1_000_000)
    }
}
