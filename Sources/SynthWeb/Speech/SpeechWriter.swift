import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService

/// Encodes the body of a response from the parts of the speech.
protocol SpeechWriter {
    var contentType: String { get }

    /// Returns the bytes to send for a part, if any.
    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8]

    /// Returns the bytes to send after the last part.
    mutating func end() throws(AudioError) -> [UInt8]

    /// Returns the bytes that report an error after part of the response has been sent. The connection is reset
    /// afterwards.
    func bytes(of problem: WebProblem, _ words: WebMessages) -> [UInt8]
}

/// Encodes only the audio.
struct SoundWriter: SpeechWriter {
    private var sound: WebSound
    let contentType: String

    init(_ format: WebSoundFormat) {
        sound = WebSound(format)
        contentType = format.contentType
    }

    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8] {
        switch part {
        case .format(let format): try sound.begin(format)
        case .audio(let audio): return try sound.bytes(of: audio.samples[...])
        default: break
        }
        return []
    }

    mutating func end() throws(AudioError) -> [UInt8] { try sound.end() }

    /// Returns nothing, because an audio format cannot convey an error.
    func bytes(of problem: WebProblem, _ words: WebMessages) -> [UInt8] { [] }
}

/// Encodes the audio as server-sent events in OpenAI's format, with words and sentences on request.
struct SpeechEventWriter: SpeechWriter {
    private var sound: WebSound
    private let input: [UInt8]
    private let sendsWords: Bool
    private var rate = 1

    let contentType = "text/event-stream"

    /// - Parameter input: the text to speak.
    init(_ format: WebSoundFormat, _ input: String, sendsWords: Bool) {
        sound = WebSound(format)
        self.input = Array(input.utf8)
        self.sendsWords = sendsWords
    }

    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8] {
        switch part {
        case .format(let format):
            rate = max(format.sampleRate, 1)
            try sound.begin(format)
            return []
        case .audio(let audio): return delta(try sound.bytes(of: audio.samples[...]))
        case .sentence(let event): return sendsWords ? place("speech.sentence", event) : []
        case .word(let event):
            guard sendsWords else { return [] }
            return place("speech.word", event, .init("text", Self.text(event.source, of: input)))
        case .mark(let event, let name):
            return sendsWords ? place("speech.mark", event, .init("name", name)) : []
        default: return []
        }
    }

    mutating func end() throws(AudioError) -> [UInt8] {
        let rest = try sound.end()
        let usage = ["input_tokens", "output_tokens", "total_tokens"].map { JSONNode.Member($0, 0) }
        return delta(rest)
            + ServerSentEvent.bytes([.init("type", "speech.audio.done"), .init("usage", .object(usage))])
    }

    func bytes(of problem: WebProblem, _ words: WebMessages) -> [UInt8] {
        ServerSentEvent.bytes([.init("type", "error")] + problem.json(words).members)
    }

    /// Returns a range of the source text, or an empty string for a word without source text.
    static func text(_ source: Range<Int>, of input: [UInt8]) -> String {
        String(decoding: input[source.clamped(to: 0..<input.count)], as: UTF8.self)
    }

    private func delta(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.isEmpty { return [] }
        return ServerSentEvent.bytes([.init("type", "speech.audio.delta"), .init("audio", Base64.text(of: bytes))])
    }

    private func place(_ type: String, _ event: Speech.Event, _ more: JSONNode.Member...) -> [UInt8] {
        // Round to a tenth of a millisecond.
        let time = (Double(event.frame) / Double(rate) * 1e4).rounded() / 1e4
        let place: [JSONNode.Member] = [
            .init("type", type), .init("time", .number(time)), .init("start", event.source.lowerBound),
            .init("end", event.source.upperBound),
        ]
        return ServerSentEvent.bytes(place + more)
    }
}

extension ServerSentEvent {
    static func bytes(_ members: [JSONNode.Member]) -> [UInt8] { bytes(data: JSONWriter.line(of: JSONNode(members))) }
}

/// Encodes audio with word timings in Kokoro-FastAPI's captioned speech format: a line of JSON for each chunk.
struct CaptionWriter: SpeechWriter {
    private var sound: WebSound
    private let format: WebSoundFormat
    private var words: CaptionedWords
    /// The encoded audio that has not been sent yet.
    private var bytes: [UInt8] = []

    let contentType = CaptionedWords.contentType

    init(_ format: WebSoundFormat, _ words: CaptionedWords) {
        sound = WebSound(format)
        self.format = format
        self.words = words
    }

    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8] {
        words.take(part)
        switch part {
        case .format(let format): try sound.begin(format)
        case .audio(let audio):
            bytes += try sound.bytes(of: audio.samples[...])
            if !bytes.isEmpty { return line() }
        default: break
        }
        return []
    }

    mutating func end() throws(AudioError) -> [UInt8] {
        bytes += try sound.end()
        words.end()
        return line()
    }

    func bytes(of problem: WebProblem, _ words: WebMessages) -> [UInt8] {
        Array("\(JSONWriter.line(of: problem.json(words)))\n".utf8)
    }

    private mutating func line() -> [UInt8] {
        let (head, tail) = words.frame(format)
        defer { bytes = [] }
        return head + Array(Base64.text(of: bytes).utf8) + tail
    }
}

/// The words for captions, with their timings. Each word is sent with the audio chunk in which its end becomes known.
struct CaptionedWords {
    private struct Word {
        let text: String
        let start: Double
        /// The end of the word, which is the start of the next word, or nil if it is not known yet.
        var end: Double?
    }
    private let input: [UInt8]
    private let collectsWords: Bool
    private var rate = 1
    private var seconds = 0.0
    /// The words that have not been sent yet.
    private var words: [Word] = []

    static let contentType = "application/json"

    /// - Parameter collectsWords: whether to collect words. Pass false to send null instead of the word timings.
    init(_ input: String, collectsWords: Bool) {
        self.input = Array(input.utf8)
        self.collectsWords = collectsWords
    }

    mutating func take(_ part: Speech.Part) {
        switch part {
        case .format(let format): rate = max(format.sampleRate, 1)
        case .audio(let audio): seconds = Double(audio.frame + audio.samples.count) / Double(rate)
        case .word(let event) where collectsWords:
            let start = Double(event.frame) / Double(rate)
            if let last = words.indices.last { words[last].end = start }
            words.append(Word(text: SpeechEventWriter.text(event.source, of: input), start: start))
        default: break
        }
    }

    /// Sets the end of the last word to the end of the speech.
    mutating func end() {
        if let last = words.indices.last { words[last].end = max(seconds, words[last].start) }
    }

    /// Returns the parts of a JSON object before and after its base64 audio. The object includes the words whose ends
    /// have become known.
    mutating func frame(_ format: WebSoundFormat) -> (head: [UInt8], tail: [UInt8]) {
        let told = words.filter { $0.end != nil }
        words = words.filter { $0.end == nil }
        let times = told.map { word in
            JSONNode([
                .init("word", word.text), .init("start_time", .number(Self.rounded(word.start))),
                .init("end_time", .number(Self.rounded(word.end ?? word.start))),
            ])
        }
        let rest = JSONNode([
            .init("audio_format", .string(format.captionType)),
            .init("timestamps", collectsWords ? .array(times) : .null),
        ])
        return (Array(#"{"audio":""#.utf8), Array(#"","#.utf8) + JSONWriter.line(of: rest).utf8.dropFirst() + [0x0A])
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e4).rounded() / 1e4 }
}
