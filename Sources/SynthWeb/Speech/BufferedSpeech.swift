import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthSystem

/// The body of a response that is sent once it is complete: either just the audio, or a JSON object with the audio and
/// word timings.
struct BufferedSpeech {
    private enum Making {
        case file(CompleteAudioFile)
        case samples(FormatConverter)
    }
    private let format: WebSoundFormat
    private let bytes: SpooledBytes
    private var making: Making?
    /// The words collected so far, or nil if only the audio is sent.
    private var captions: CaptionedWords?

    /// - Parameter captions: collects the words, or nil to send only the audio.
    init(_ format: WebSoundFormat, in bytes: SpooledBytes, captions: CaptionedWords? = nil) {
        self.format = format
        self.bytes = bytes
        self.captions = captions
    }

    var contentType: String { captions == nil ? format.contentType : CaptionedWords.contentType }

    var count: Int { bytes.count }

    mutating func take(_ part: Speech.Part) throws(AudioError) {
        captions?.take(part)
        switch part {
        case .format(let format): try begin(AudioFormat(sampleRate: format.sampleRate, channels: format.channels))
        case .audio(let audio): try write(audio.samples[...])
        default: break
        }
    }

    mutating func end() throws(AudioError) {
        captions?.end()
        switch making {
        case .file(let sound)?: try sound.finish()
        case .samples(let converter)?:
            var converted: [Float] = []
            try converter.finish(into: &converted)
            try add(converted)
        case nil: break
        }
    }

    /// Sends the response. Call `end` first.
    mutating func send(_ headers: [(name: String, value: String)], in answer: WebAnswer) throws {
        let (head, tail) = captions?.frame(format) ?? ([], [])
        let length = captions == nil ? bytes.count : (bytes.count + 2) / 3 * 4
        try answer.begin(.ok, contentType, headers, length: head.count + length + tail.count)
        try answer.write(head)
        var offset = 0
        while true {
            let piece: [UInt8]
            do {
                piece = try bytes.bytes(from: offset, atMost: Self.piece)
            } catch {
                // This error resets the connection, so that the client detects that the response is incomplete.
                throw WebFailure.stopped
            }
            if piece.isEmpty { break }
            offset += piece.count
            try answer.write(captions == nil ? piece : Array(Base64.text(of: piece).utf8))
        }
        try answer.write(tail)
        try answer.end()
    }

    /// The chunk size in bytes, a multiple of three so that base64 chunks need no padding.
    private static let piece = 48 << 10

    private mutating func begin(_ sound: AudioFormat) throws(AudioError) {
        switch format {
        case .file(let format): making = .file(try CompleteAudioFile(SoundFileOptions(format), sound, in: bytes))
        case .pcm: making = .samples(try FormatConverter(from: sound, to: WebSoundFormat.pcmFormat))
        }
    }

    private func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        switch making {
        case .file(let sound)?: try sound.write(samples)
        case .samples(let converter)?:
            var converted: [Float] = []
            try converter.process(samples, into: &converted)
            try add(converted)
        case nil: break
        }
    }

    private func add(_ samples: [Float]) throws(AudioError) {
        do {
            try FloatPCM.bytes16(of: samples[...]).span.withUnsafeBytes { (new) throws(Errno) in try bytes.append(new) }
        } catch {
            throw .outputNotWritten(name: .file(bytes.folder), code: error.code)
        }
    }
}

/// Encodes speech audio in the response format while the audio is being synthesized.
struct WebSound {
    private enum Encoding {
        case file(SoundEncoder)
        case samples(FormatConverter)
    }
    private let format: WebSoundFormat
    private var encoding: Encoding?

    init(_ format: WebSoundFormat) { self.format = format }

    /// Starts the encoding. Call this method once, before the first samples.
    mutating func begin(_ sound: SpeechFormat) throws(AudioError) {
        encoding = try Self.encoding(format, AudioFormat(sampleRate: sound.sampleRate, channels: sound.channels))
    }

    /// Returns the encoded bytes that are ready, if any.
    func bytes(of samples: ArraySlice<Float>) throws(AudioError) -> [UInt8] {
        switch encoding {
        case .file(let encoder)?: return try encoder.encode(samples)
        case .samples(let converter)?:
            var converted: [Float] = []
            try converter.process(samples, into: &converted)
            return FloatPCM.bytes16(of: converted[...])
        case nil: return []
        }
    }

    /// Returns the remaining bytes.
    func end() throws(AudioError) -> [UInt8] {
        switch encoding {
        case .file(let encoder)?: return try encoder.finish()
        case .samples(let converter)?:
            var converted: [Float] = []
            try converter.finish(into: &converted)
            return FloatPCM.bytes16(of: converted[...])
        case nil: return []
        }
    }

    private static func encoding(_ format: WebSoundFormat, _ sound: AudioFormat) throws(AudioError) -> Encoding {
        switch format {
        case .file(let format): .file(try SoundEncoder(SoundFileOptions(format), sound))
        case .pcm: .samples(try FormatConverter(from: sound, to: WebSoundFormat.pcmFormat))
        }
    }
}

/// The audio formats of a response.
enum WebSoundFormat: Equatable, Sendable {
    case file(SoundFileFormat)
    /// 16-bit little-endian mono samples at 24 kHz, without a header.
    case pcm

    /// The format that OpenAI clients expect.
    static let pcmFormat = AudioFormat(sampleRate: 24_000, channels: 1)

    /// All formats, in the order in which error messages list them.
    static let all: [WebSoundFormat] = [.file(.mp3), .file(.opus), .file(.flac), .file(.wav), .pcm, .file(.ogg)]

    init(called name: String) throws {
        guard let format = Self.all.first(where: { $0.name == name }) else {
            throw WebFailure.problem(.format(name, known: Self.all.map(\.name)))
        }
        self = format
    }

    var name: String {
        switch self {
        case .file(let format): format.rawValue
        case .pcm: "pcm"
        }
    }

    /// The format's name in Kokoro-FastAPI's captions.
    var captionType: String { self == .pcm ? "audio/pcm" : self == .file(.opus) ? "audio/opus" : contentType }

    var contentType: String {
        switch self {
        case .file(.wav): "audio/wav"
        case .file(.flac): "audio/flac"
        case .file(.mp3): "audio/mpeg"
        case .file(.opus), .file(.ogg): "audio/ogg"
        case .pcm: "audio/pcm;rate=24000;encoding=signed-int;bits=16;channels=1;big-endian=false"
        }
    }
}
