package import SynthEngineWire
import SynthJSON
import SynthSystem

/// A file format for transcripts.
package enum TranscriptFormat: String, CaseIterable, Sendable {
    /// Paragraphs, each on one line, separated by empty lines.
    case txt
    case srt, vtt
    /// Texts and words, with their confidence values and their times in seconds.
    case json
}

/// Formats the sentences of a recording one at a time.
package struct TranscriptText: Sendable {
    private let format: TranscriptFormat
    private let rate: Double
    /// The name of the recording, or nil if the output contains only one transcript.
    private let file: String?
    private var paragraphs = TranscriptParagraphs()
    private var cues: SubtitleCues
    private var count = 0
    private var leftOut: [JSONNode] = []

    /// - Parameters:
    ///   - rate: the number of frames per second.
    ///   - file: the name of the recording, if the output contains several transcripts. JSON is then written on a single line
    ///     that includes the name.
    package init(_ format: TranscriptFormat, rate: UInt32, of file: String? = nil) {
        self.format = format
        self.file = file
        self.rate = Double(rate)
        cues = SubtitleCues(rate: Double(rate))
    }

    /// The beginning of the file.
    package var head: String {
        switch format {
        case .txt, .srt: ""
        case .vtt: "WEBVTT\n\n"
        case .json:
            "{" + (file.map { "\"file\":\(JSONWriter.line(of: JSONNode(.string($0))))," } ?? "") + "\"texts\":["
        }
    }

    /// Adds a sentence and returns the output that is ready. A subtitle is returned only once the next sentence has
    /// been added.
    package mutating func add(_ sentence: RecognizedText) -> String {
        switch format {
        case .txt:
            // Each turn in a conversation is a separate line.
            if sentence.channel != nil { return sentence.labelled.text + "\n" }
            return paragraphs.add(
                sentence.text, from: seconds(sentence.frames.lowerBound), to: seconds(sentence.frames.upperBound),
                by: sentence.channel?.name)
        case .srt: return cues.add(sentence.labelled).map { text($0) }.joined()
        case .vtt: return cues.add(sentence, by: sentence.channel).map { text($0) }.joined()
        case .json:
            defer { count += 1 }
            return (count == 0 ? "" : file == nil ? ",\n" : ",") + JSONWriter.line(of: json(sentence))
        }
    }

    /// Adds a rejected text, which is included only in JSON output.
    package mutating func add(leftOut text: RecognizedText) { if format == .json { leftOut.append(json(text)) } }

    /// Returns the remaining text and the end of the file.
    package mutating func finish() -> String {
        switch format {
        case .txt: paragraphs.end
        case .srt, .vtt: cues.finish().map { text($0) }.joined()
        case .json:
            leftOut.isEmpty
                ? "]}\n"
                : "],\(file == nil ? "\n" : "")\"left_out\":\(JSONWriter.line(of: JSONNode(.array(leftOut))))}\n"
        }
    }

    private mutating func text(_ cue: SubtitleCue) -> String {
        count += 1
        let times = "\(time(cue.frames.lowerBound)) --> \(time(cue.frames.upperBound))"
        let number = format == .srt ? "\(count)\n" : ""
        let voice = cue.voice.map { "<v \($0.name)>" } ?? ""
        return "\(number)\(times)\n\(voice)\(plain(cue.lines.joined(separator: "\n")))\n\n"
    }

    /// Escapes the characters that VTT interprets as markup.
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

    private func json(_ text: RecognizedText) -> JSONNode {
        let bytes = Array(text.text.utf8)
        let shown = ShownText(
            text: text.text, reason: text.leftOut?.name, start: seconds(text.frames.lowerBound),
            end: seconds(text.frames.upperBound),
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
        /// Why the text was rejected.
        let reason: String?
        let start: Double
        let end: Double
        let language: String?
        /// The channel number, starting at 1, or nil if the channels are mixed.
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

/// Groups sentences into paragraphs. A long pause starts a new paragraph; if the current paragraph is long, a shorter
/// pause is sufficient.
package struct TranscriptParagraphs: Sendable {
    /// The long and the shorter pause, in seconds.
    private static let (pause, shortPause) = (2.0, 0.8)
    /// The number of characters after which the shorter pause is sufficient, and the number after which the next
    /// sentence always starts a new paragraph.
    private static let (long, longest) = (500, 1500)

    private var letters = 0
    private var last = ""
    private var speaker: String?
    private var latest = 0.0

    package init() {}

    /// Adds a sentence and returns it with its separator. Times are in seconds.
    ///
    /// - Parameter speaker: the speaker, or nil if unknown. When the speaker changes, a new line starts with the
    ///   speaker's name.
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

    /// The text to write after the last sentence.
    package var end: String { last.isEmpty ? "" : "\n" }
}

extension RecognizedText {
    /// The text prefixed with its channel's name, if any: "Left: Hello."
    package var labelled: RecognizedText {
        guard let channel else { return self }
        let label = "\(channel.name): "
        let length = label.utf8.count
        var text = self
        text.text = label + text.text
        text.stable += length
        text.words = words.map { word in
            RecognizedWord(
                text: word.text.lowerBound + length..<word.text.upperBound + length, frames: word.frames,
                confidence: word.confidence)
        }
        return text
    }
}
