import SynthAudio
import SynthHost
import SynthJSON
import SynthService

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
