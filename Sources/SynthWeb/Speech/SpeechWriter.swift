import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService

/// Makes the body of an answer of the parts of a speech.
protocol SpeechWriter {
    var contentType: String { get }

    /// What is sent for some parts; may be empty.
    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8]

    /// What is sent after the last part.
    mutating func end() throws(AudioError) -> [UInt8]

    /// What is sent if the speech fails in the middle, before the connection breaks.
    func bytes(of problem: WebProblem, _ words: WebWords) -> [UInt8]
}

/// The sound alone.
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

    /// No format of sound has a place for it.
    func bytes(of problem: WebProblem, _ words: WebWords) -> [UInt8] { [] }
}

/// The sound in server-sent events, as OpenAI's service sends them, with words and sentences if somebody wants them.
struct SpeechEventWriter: SpeechWriter {
    private var sound: WebSound
    private let input: [UInt8]
    private let tellsWords: Bool
    private var rate = 1

    let contentType = "text/event-stream"

    /// - Parameter input: what is spoken.
    init(_ format: WebSoundFormat, _ input: String, tellsWords: Bool) {
        sound = WebSound(format)
        self.input = Array(input.utf8)
        self.tellsWords = tellsWords
    }

    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8] {
        switch part {
        case .format(let format):
            rate = max(format.sampleRate, 1)
            try sound.begin(format)
            return []
        case .audio(let audio): return delta(try sound.bytes(of: audio.samples[...]))
        case .sentence(let event): return tellsWords ? place("speech.sentence", event) : []
        case .word(let event):
            guard tellsWords else { return [] }
            return place("speech.word", event, .init("text", Self.text(event.source, of: input)))
        case .mark(let event, let name):
            return tellsWords ? place("speech.mark", event, .init("name", name)) : []
        default: return []
        }
    }

    mutating func end() throws(AudioError) -> [UInt8] {
        let rest = try sound.end()
        let usage = ["input_tokens", "output_tokens", "total_tokens"].map { JSONNode.Member($0, 0) }
        return delta(rest) + Self.event([.init("type", "speech.audio.done"), .init("usage", .object(usage))])
    }

    func bytes(of problem: WebProblem, _ words: WebWords) -> [UInt8] {
        Self.event([.init("type", "error")] + problem.json(words).members)
    }

    /// What was written; nothing of a word that a script made.
    static func text(_ source: Range<Int>, of input: [UInt8]) -> String {
        String(decoding: input[source.clamped(to: 0..<input.count)], as: UTF8.self)
    }

    private func delta(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.isEmpty { return [] }
        return Self.event([.init("type", "speech.audio.delta"), .init("audio", Base64.text(of: bytes))])
    }

    private func place(_ type: String, _ event: Speech.Event, _ more: JSONNode.Member...) -> [UInt8] {
        // To a tenth of a millisecond.
        let time = (Double(event.frame) / Double(rate) * 1e4).rounded() / 1e4
        let place: [JSONNode.Member] = [
            .init("type", type), .init("time", .number(time)), .init("start", event.source.lowerBound),
            .init("end", event.source.upperBound),
        ]
        return Self.event(place + more)
    }

    private static func event(_ members: [JSONNode.Member]) -> [UInt8] {
        ServerSentEvent(data: JSONWriter.line(of: JSONNode(.object(members))))?.bytes ?? []
    }
}

/// Sound with the times of its words, as Kokoro-FastAPI's captioned speech has it: a line of JSON for each piece.
struct CaptionWriter: SpeechWriter {
    private var sound: WebSound
    private let format: WebSoundFormat
    private var words: CaptionedWords
    /// What was not sent.
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

    func bytes(of problem: WebProblem, _ words: WebWords) -> [UInt8] {
        Array("\(JSONWriter.line(of: problem.json(words)))\n".utf8)
    }

    private mutating func line() -> [UInt8] {
        let (head, tail) = words.frame(format)
        defer { bytes = [] }
        return head + Array(Base64.text(of: bytes).utf8) + tail
    }
}

/// The words of captions with their times. A word goes with the piece of the sound in which its end is known.
struct CaptionedWords {
    private struct Word {
        let text: String
        let start: Double
        /// The next word's start; nil = it is not known yet.
        var end: Double?
    }
    private let input: [UInt8]
    private let isTold: Bool
    private var rate = 1
    private var seconds = 0.0
    /// Those that were not told.
    private var words: [Word] = []

    static let contentType = "application/json"

    /// - Parameter isTold: otherwise there are none.
    init(_ input: String, isTold: Bool) {
        self.input = Array(input.utf8)
        self.isTold = isTold
    }

    mutating func take(_ part: Speech.Part) {
        switch part {
        case .format(let format): rate = max(format.sampleRate, 1)
        case .audio(let audio): seconds = Double(audio.frame + audio.samples.count) / Double(rate)
        case .word(let event) where isTold:
            let start = Double(event.frame) / Double(rate)
            if let last = words.indices.last { words[last].end = start }
            words.append(Word(text: SpeechEventWriter.text(event.source, of: input), start: start))
        default: break
        }
    }

    /// Nothing more comes, so that the end of the last word is known.
    mutating func end() {
        if let last = words.indices.last { words[last].end = max(seconds, words[last].start) }
    }

    /// What stands before and after the sound in an object, which is base 64, with the words that can be told; each is told once.
    mutating func frame(_ format: WebSoundFormat) -> (head: [UInt8], tail: [UInt8]) {
        let told = words.filter { $0.end != nil }
        words = words.filter { $0.end == nil }
        let times = told.map { word in
            JSONNode(
                .object([
                    .init("word", word.text), .init("start_time", .number(Self.rounded(word.start))),
                    .init("end_time", .number(Self.rounded(word.end ?? word.start))),
                ]))
        }
        let rest = JSONNode(
            .object([
                .init("audio_format", .string(format.captionType)), .init("timestamps", isTold ? .array(times) : .null),
            ]))
        return (Array(#"{"audio":""#.utf8), Array(#"","#.utf8) + JSONWriter.line(of: rest).utf8.dropFirst() + [0x0A])
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e4).rounded() / 1e4 }
}
