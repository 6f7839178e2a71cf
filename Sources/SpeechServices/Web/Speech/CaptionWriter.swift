import LocatedJSON
import SynthAudio
import SynthHost

/// Sound with the times of its words, as Kokoro-FastAPI's captioned speech has it: a line of JSON for each piece, or one object
/// for all.
struct CaptionWriter: SpeechWriter {
    private struct Word {
        let text: String
        let start: Double
        /// The next word's start; nil = it is not known yet.
        var end: Double?
    }
    private var sound: WebSound
    private let format: WebSoundFormat
    private let input: [UInt8]
    private let isWhole: Bool
    private let tellsWords: Bool
    private var rate = 1
    private var seconds = 0.0
    /// Those that were not sent.
    private var words: [Word] = []
    /// What was not sent.
    private var bytes: [UInt8] = []

    let contentType = "application/json"

    /// - Parameter isWhole: whether one object has all.
    init(_ format: WebSoundFormat, _ input: String, isWhole: Bool, tellsWords: Bool) {
        self.tellsWords = tellsWords
        sound = WebSound(format)
        self.format = format
        self.input = Array(input.utf8)
        self.isWhole = isWhole
    }

    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8] {
        switch part {
        case .format(let format):
            rate = max(format.sampleRate, 1)
            try sound.begin(format)
        case .audio(let audio):
            bytes += try sound.bytes(of: audio.samples[...])
            seconds = Double(audio.frame + audio.samples.count) / Double(rate)
            if !isWhole, !bytes.isEmpty { return line(isLast: false) }
        case .word(let event):
            let start = Double(event.frame) / Double(rate)
            if let last = words.indices.last { words[last].end = start }
            words.append(Word(text: SpeechEventWriter.text(event.source, of: input), start: start))
        default: break
        }
        return []
    }

    mutating func end() throws(AudioError) -> [UInt8] {
        bytes += try sound.end()
        if let last = words.indices.last { words[last].end = max(seconds, words[last].start) }
        return line(isLast: true)
    }

    func bytes(of problem: WebProblem, _ words: ServiceWords) -> [UInt8] {
        Array("\(JSONWriter.line(of: problem.json(words)))\n".utf8)
    }

    /// A word goes with the piece in which its end is known.
    private mutating func line(isLast: Bool) -> [UInt8] {
        let told = words.filter { $0.end != nil }
        words = words.filter { $0.end == nil }
        let times = told.map { word in
            JSONNode(
                .object([
                    .init("word", word.text), .init("start_time", .number(Self.rounded(word.start))),
                    .init("end_time", .number(Self.rounded(word.end ?? word.start))),
                ]))
        }
        let line = JSONNode(
            .object([
                .init("audio", Base64.text(of: bytes)), .init("audio_format", .string(format.captionType)),
                .init("timestamps", tellsWords ? .array(times) : .null),
            ]))
        bytes = []
        return Array("\(JSONWriter.line(of: line))\n".utf8)
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e4).rounded() / 1e4 }
}
