package import SynthEngineWire
import SynthJSON
import SynthSystem

/// How what was understood is written.
package enum TranscriptFormat: String, CaseIterable, Sendable {
    /// Paragraphs of flowing sentences, each in one line, with an empty line between them.
    case txt
    /// Subtitles.
    case srt, vtt
    /// With times and confidence of texts and words, in seconds.
    case json
}

/// Writes the sentences of a sound, as they come.
package struct TranscriptText: Sendable {
    private let format: TranscriptFormat
    private let rate: Double
    private var paragraphs = TranscriptParagraphs()
    private var cues: SubtitleCues
    private var count = 0

    /// - Parameter rate: frames a second.
    package init(_ format: TranscriptFormat, rate: UInt32) {
        self.format = format
        self.rate = Double(rate)
        cues = SubtitleCues(rate: Double(rate))
    }

    /// What comes before everything.
    package var head: String {
        switch format {
        case .txt, .srt: ""
        case .vtt: "WEBVTT\n\n"
        case .json: "{\"texts\":["
        }
    }

    /// The next sentence. Subtitles wait for the one after it.
    package mutating func add(_ sentence: HeardText) -> String {
        switch format {
        case .txt:
            return paragraphs.add(
                sentence.text, from: seconds(sentence.frames.lowerBound), to: seconds(sentence.frames.upperBound),
                by: sentence.channel?.name)
        case .srt, .vtt: return cues.add(sentence.labelled).map { text($0) }.joined()
        case .json:
            defer { count += 1 }
            return (count == 0 ? "" : ",\n") + JSONWriter.line(of: json(sentence))
        }
    }

    /// What waits, and what comes after everything.
    package mutating func finish() -> String {
        switch format {
        case .txt: paragraphs.end
        case .srt, .vtt: cues.finish().map { text($0) }.joined()
        case .json: "]}\n"
        }
    }

    private mutating func text(_ cue: SubtitleCue) -> String {
        count += 1
        let times = "\(time(cue.frames.lowerBound)) --> \(time(cue.frames.upperBound))"
        let number = format == .srt ? "\(count)\n" : ""
        return "\(number)\(times)\n\(plain(cue.lines.joined(separator: "\n")))\n\n"
    }

    /// VTT reads marks.
    private func plain(_ text: String) -> String {
        guard format == .vtt else { return text.replacing("-->", with: "->") }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private func time(_ frame: UInt64) -> String {
        let milliseconds = Int((Double(frame) / rate * 1000).rounded())
        let whole = milliseconds / 1000
        let mark = format == .srt ? "," : "."
        return [whole / 3600, whole / 60 % 60, whole % 60].map { padded($0, 2) }.joined(separator: ":") + mark
            + padded(milliseconds % 1000, 3)
    }

    private func json(_ text: HeardText) -> JSONNode {
        let bytes = Array(text.text.utf8)
        let shown = ShownText(
            text: text.text, start: seconds(text.frames.lowerBound), end: seconds(text.frames.upperBound),
            language: text.language, channel: text.channel?.number, confidence: text.confidence.map(Self.rounded),
            words: text.words.isEmpty
                ? nil
                : text.words.map { word in
                    ShownText.Word(
                        word: String(decoding: bytes[word.text], as: UTF8.self),
                        start: seconds(word.frames.lowerBound), end: seconds(word.frames.upperBound),
                        confidence: word.confidence.map(Self.rounded))
                })
        return (try? JSONNode(encoding: shown)) ?? JSONNode(.null)
    }

    private func seconds(_ frame: UInt64) -> Double { (Double(frame) / rate * 1000).rounded() / 1000 }

    private static func rounded(_ share: Float) -> Double { (Double(share) * 1000).rounded() / 1000 }

    private struct ShownText: Encodable {
        let text: String
        let start: Double
        let end: Double
        let language: String?
        /// From 1, if each is transcribed by itself.
        let channel: Int?
        let confidence: Double?
        let words: [Word]?

        struct Word: Encodable {
            let word: String
            let start: Double
            let end: Double
            let confidence: Double?
        }
    }
}

/// Puts sentences into paragraphs: a longer pause begins one, and a long paragraph ends at a shorter pause.
package struct TranscriptParagraphs: Sendable {
    /// In seconds.
    private static let (pause, shortPause) = (2.0, 0.8)
    /// The letters after which the shorter pause counts, and those after which any sentence may be the last.
    private static let (long, longest) = (500, 1500)

    private var letters = 0
    private var last = ""
    private var speaker: String?
    private var latest = 0.0

    package init() {}

    /// The next sentence, with what separates it from the one before it. Times are in seconds.
    ///
    /// - Parameter speaker: who begins a line, where it is another one than before; nil = nobody knows.
    package mutating func add(
        _ text: String, from start: Double, to end: Double, by speaker: String? = nil
    ) -> String {
        let line = text.split { $0.isNewline }.joined(separator: " ")
        if line.isEmpty { return "" }
        defer {
            letters += line.count
            (last, latest) = (line, max(latest, end))
        }
        if let speaker, speaker != self.speaker {
            self.speaker = speaker
            letters = 0
            return (last.isEmpty ? "" : "\n") + "\(speaker): \(line)"
        }
        if last.isEmpty { return line }
        let gap = start - latest
        if gap >= Self.pause || letters > Self.long && gap >= Self.shortPause || letters > Self.longest {
            letters = 0
            return "\n\n" + line
        }
        return TranscriptSentences.space(between: last, line) + line
    }

    /// What comes after the last sentence.
    package var end: String { last.isEmpty ? "" : "\n" }
}

extension HeardText {
    /// The same text after the name of its channel, if it has one: "Left: Hello."
    var labelled: HeardText {
        guard let channel else { return self }
        let label = "\(channel.name): "
        let length = label.utf8.count
        var text = self
        text.text = label + text.text
        text.stable += length
        text.words = words.map { word in
            HeardWord(
                text: word.text.lowerBound + length..<word.text.upperBound + length, frames: word.frames,
                confidence: word.confidence)
        }
        return text
    }
}
