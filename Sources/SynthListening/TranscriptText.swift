package import SynthEngineWire
import SynthJSON
import SynthSystem

/// How what was understood is written.
package enum TranscriptFormat: String, CaseIterable, Sendable {
    /// The text, a line for each stretch of speech.
    case txt
    /// Subtitles.
    case srt, vtt
    /// With times and confidence of texts and words, in seconds.
    case json
}

/// Writes what was understood of a sound, as it comes.
package struct TranscriptText: Sendable {
    private let format: TranscriptFormat
    private let rate: Double
    private var cues = 0
    private var isFirst = true

    /// The longest cue: two lines of subtitles, and as long as one should stand.
    private static let mostLetters = 84
    private static let mostSeconds = 7.0

    /// - Parameter rate: frames a second.
    package init(_ format: TranscriptFormat, rate: UInt32) {
        self.format = format
        self.rate = Double(rate)
    }

    /// What comes before everything.
    package var head: String {
        switch format {
        case .txt, .srt: ""
        case .vtt: "WEBVTT\n\n"
        case .json: "{\"texts\":["
        }
    }

    /// What comes after everything.
    package var tail: String { format == .json ? "]}\n" : "" }

    /// The next text.
    package mutating func add(_ text: HeardText) -> String {
        let text = format == .json ? text : text.labelled
        switch format {
        case .txt: return text.text + "\n"
        case .srt, .vtt: return split(text).map { cue($0) }.joined()
        case .json:
            defer { isFirst = false }
            return (isFirst ? "" : ",\n") + JSONWriter.line(of: json(text))
        }
    }

    private struct Cue {
        var text: Substring
        var frames: Range<UInt64>
    }

    /// Cut between words, if their times are known.
    private func split(_ text: HeardText) -> [Cue] {
        guard let first = text.words.first, let last = text.words.last else {
            return [Cue(text: text.text[...], frames: text.frames)]
        }
        let bytes = text.text.utf8
        func part(_ range: Range<Int>) -> Substring {
            let from = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            return text.text[from..<bytes.index(bytes.startIndex, offsetBy: range.upperBound)]
        }
        var cues: [Cue] = []
        // What stands before the first word and after the last, such as signs, goes with them.
        var (start, begin) = (0, first.frames.lowerBound)
        var until = first.frames.upperBound
        for word in text.words.dropFirst() {
            let isLong =
                part(start..<word.text.upperBound).count > Self.mostLetters
                || word.frames.upperBound > begin
                    && Double(word.frames.upperBound - begin) / rate > Self.mostSeconds
            if isLong {
                cues.append(Cue(text: part(start..<word.text.lowerBound), frames: begin..<max(begin, until)))
                (start, begin) = (word.text.lowerBound, word.frames.lowerBound)
            }
            until = max(until, word.frames.upperBound)
        }
        cues.append(
            Cue(text: part(start..<bytes.count), frames: begin..<max(begin, until, last.frames.upperBound)))
        return cues
    }

    private mutating func cue(_ cue: Cue) -> String {
        cues += 1
        let times = "\(time(cue.frames.lowerBound)) --> \(time(cue.frames.upperBound))"
        let number = format == .srt ? "\(cues)\n" : ""
        return "\(number)\(times)\n\(plain(cue.text))\n\n"
    }

    /// A blank line would end a cue, and VTT reads marks.
    private func plain(_ text: Substring) -> String {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        var joined = lines.joined(separator: "\n")
        while joined.last == " " { joined.removeLast() }
        guard format == .vtt else { return joined.replacing("-->", with: "->") }
        return joined.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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
