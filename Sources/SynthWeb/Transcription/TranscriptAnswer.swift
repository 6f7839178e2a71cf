import Glibc
import SynthEngineWire
import SynthHTTPServer
import SynthJSON
import SynthListening
import SynthService

/// The transcript of a recording in OpenAI's formats.
struct TranscriptAnswer {
    private let call: TranscriptionCall
    private let rate: UInt32
    private var heard: ServiceTranscript
    /// The text that has been sent in deltas even though its sentence is not complete yet.
    private var early = ""

    /// - Parameter rate: the number of frames per second.
    init(_ call: TranscriptionCall, rate: UInt32) {
        self.call = call
        self.rate = rate
        heard = ServiceTranscript(rate: rate)
    }

    /// Adds a segment of the transcript.
    ///
    /// - Returns: the events for a stream, possibly none.
    mutating func take(_ piece: TranscribedPiece) -> [UInt8] {
        let before = heard.texts.last?.text ?? ""
        return deltas(after: before, heard.add(piece)) + beginning(piece.beginning)
    }

    /// Returns the delta for the stable beginning of the next sentence, without timings.
    private mutating func beginning(_ text: String) -> [UInt8] {
        guard !text.isEmpty, !heard.isWaiting else { return [] }
        let whole = TranscriptSentences.space(between: heard.texts.last?.text ?? "", text) + text
        guard whole.utf8.count > early.utf8.count, whole.hasPrefix(early) else { return [] }
        defer { early = whole }
        return ServerSentEvent.bytes([
            .init("type", "transcript.text.delta"), .init("delta", .string(String(whole.dropFirst(early.count)))),
        ])
    }

    /// Removes the part of a sentence that has already been sent.
    ///
    /// - Returns: the remaining text of the sentence.
    private mutating func takeEarly(of sentence: String) -> String {
        let sent = early
        if sentence.hasPrefix(sent) {
            early = ""
            return String(sentence.dropFirst(sent.count))
        }
        guard sent.hasPrefix(sentence) else {
            // The recognizer was restarted and recognized different text.
            early = ""
            return sentence
        }
        early = String(sent.dropFirst(sentence.count))
        return ""
    }

    private mutating func deltas(after before: String, _ sentences: [RecognizedText]) -> [UInt8] {
        var (told, last): ([UInt8], String) = ([], before)
        for sentence in sentences.map(\.labelled) {
            let space = ServiceTranscript.space(between: last, sentence)
            let text = space + sentence.text
            var members: [JSONNode.Member] = [
                .init("type", "transcript.text.delta"), .init("delta", .string(takeEarly(of: text))),
                .init("text", .string(text)),
                .init("start", time(sentence.frames.lowerBound)), .init("end", time(sentence.frames.upperBound)),
            ]
            members += channel(sentence)
            if call.sendsWords {
                let words = TranscriptWords([sentence], after: space.utf16.count).members(time)
                members.append(.init("words", .array(words)))
            }
            told += ServerSentEvent.bytes(members)
            last = sentence.text
        }
        return told
    }

    /// Completes the transcript.
    ///
    /// - Returns: the stream events for the last sentence.
    mutating func finish() -> [UInt8] {
        let before = heard.texts.last?.text ?? ""
        return deltas(after: before, heard.finish())
    }

    /// Returns the last event of a stream. Call `finish` first.
    ///
    /// - Parameter seconds: the duration of the audio.
    func streamEnd(_ seconds: Double) -> [UInt8] {
        var members: [JSONNode.Member] = [
            .init("type", "transcript.text.done"), .init("text", heard.text), .init("usage", usage(seconds)),
            .init("language", (heard.language ?? call.order.language).map { .string($0) } ?? .null),
            .init("duration", .number(Self.rounded(seconds))),
        ]
        if call.sendsSegments { members.append(.init("segments", .array(segments))) }
        if call.sendsWords { members.append(.init("words", .array(heard.texts.flatMap(words)))) }
        return ServerSentEvent.bytes(members)
    }

    func streamEnd(_ problem: WebProblem, _ words: WebMessages) -> [UInt8] {
        ServerSentEvent.bytes([.init("type", "error")] + problem.json(words).members)
    }

    var contentType: String {
        switch call.form {
        case .json, .verbose: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .srt: "application/x-subrip; charset=utf-8"
        case .vtt: "text/vtt; charset=utf-8"
        }
    }

    /// Returns the complete response.
    ///
    /// - Parameter seconds: the duration of the audio.
    func bytes(_ seconds: Double) -> [UInt8] {
        switch call.form {
        case .json: Self.line([.init("text", heard.text), .init("usage", usage(seconds))])
        case .verbose: Self.line(verbose(seconds))
        case .text: Array("\(heard.text)\n".utf8)
        case .srt: Array(heard.written(as: .srt).utf8)
        case .vtt: Array(heard.written(as: .vtt).utf8)
        }
    }

    private func usage(_ seconds: Double) -> JSONNode.Value {
        .object([.init("type", "duration"), .init("seconds", .number(seconds.rounded(.up)))])
    }

    private func verbose(_ seconds: Double) -> [JSONNode.Member] {
        let language = heard.language ?? call.order.language
        var members: [JSONNode.Member] = [
            .init("task", call.order.isTranslated ? "translate" : "transcribe"),
            .init("language", language ?? ""), .init("duration", .number(Self.rounded(seconds))),
            .init("text", heard.text),
        ]
        if call.sendsSegments { members.append(.init("segments", .array(segments))) }
        if call.sendsWords { members.append(.init("words", .array(heard.texts.flatMap(words)))) }
        if !heard.leftOut.isEmpty { members.append(.init("left_out", .array(heard.leftOut.map(leftOut)))) }
        return members + [.init("usage", usage(seconds))]
    }

    private func leftOut(_ text: RecognizedText) -> JSONNode {
        JSONNode(
            [
                .init("text", text.text), .init("start", time(text.frames.lowerBound)),
                .init("end", time(text.frames.upperBound)), .init("reason", .string(text.leftOut?.name ?? "")),
            ] + channel(text))
    }

    /// Returns the channel number of the text if the channels are transcribed separately.
    private func channel(_ text: RecognizedText) -> [JSONNode.Member] {
        text.channel.map { [.init("channel", $0.number)] } ?? []
    }

    private var segments: [JSONNode] {
        heard.texts.enumerated().map { JSONNode(segment($0.element, $0.offset)) }
    }

    /// Returns a segment. Clients expect all of its members, so a member that the recognizer does not report is set to
    /// a value that indicates good quality.
    private func segment(_ text: RecognizedText, _ number: Int) -> [JSONNode.Member] {
        let origin = text.origin
        let share = text.confidence.map { log(max(Double($0), 1e-6)) } ?? 0
        return [
            .init("id", number), .init("seek", 0), .init("start", time(text.frames.lowerBound)),
            .init("end", time(text.frames.upperBound)), .init("text", text.text), .init("tokens", .array([])),
            .init("temperature", .number(Self.rounded(Double(origin.temperature)))),
            .init("avg_logprob", .number(Self.rounded(share))),
            .init("compression_ratio", .number(origin.repetition > 0 ? Self.rounded(Double(origin.repetition)) : 1)),
            .init("no_speech_prob", .number(Self.rounded(Double(origin.quietProbability)))),
        ] + channel(text)
    }

    private func words(_ text: RecognizedText) -> [JSONNode] {
        let bytes = Array(text.text.utf8)
        return text.words.map { word in
            JSONNode([
                .init("word", String(decoding: bytes[word.text], as: UTF8.self)),
                .init("start", time(word.frames.lowerBound)), .init("end", time(word.frames.upperBound)),
            ])
        }
    }

    private func time(_ frame: UInt64) -> JSONNode.Value { .number(Self.rounded(Double(frame) / Double(rate))) }

    private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

    private static func line(_ members: [JSONNode.Member]) -> [UInt8] {
        Array(JSONWriter.line(of: JSONNode(members)).utf8) + [0x0A]
    }
}

/// The words of joined texts, with positions in UTF-16 code units as in JavaScript.
struct TranscriptWords {
    struct Word: Equatable {
        let text: String
        let frames: Range<UInt64>
        let place: Range<Int>
    }
    private(set) var words: [Word] = []

    /// - Parameter before: the number of code units before the first text.
    init(_ texts: [RecognizedText], after before: Int = 0) {
        var (before, last) = (before, "")
        for text in texts {
            let bytes = Array(text.text.utf8)
            before += TranscriptSentences.space(between: last, text.text).utf16.count
            last = text.text
            // A scalar that takes up four bytes in UTF-8 takes up two code units in UTF-16.
            func units(_ range: Range<Int>) -> Int {
                bytes[range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
            }
            var (byte, unit) = (0, before)
            for word in text.words {
                unit += units(byte..<word.text.lowerBound)
                let start = unit
                unit += units(word.text)
                byte = word.text.upperBound
                words.append(
                    Word(
                        text: String(decoding: bytes[word.text], as: UTF8.self), frames: word.frames,
                        place: start..<unit))
            }
            before += units(0..<bytes.count)
        }
    }

    /// Returns the words as JSON for clients.
    ///
    /// - Parameter time: converts a frame number to a time.
    func members(_ time: (UInt64) -> JSONNode.Value) -> [JSONNode] {
        words.map { word in
            JSONNode([
                .init("word", .string(word.text)), .init("start", time(word.frames.lowerBound)),
                .init("end", time(word.frames.upperBound)), .init("character_start", word.place.lowerBound),
                .init("character_end", word.place.upperBound),
            ])
        }
    }
}
