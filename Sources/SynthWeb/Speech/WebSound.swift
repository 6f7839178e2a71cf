import SynthAudio
import SynthHost

/// The sound of a speech as bytes of a format, as they are made.
struct WebSound {
    private enum Encoding {
        case file(SoundEncoder)
        case samples(FormatConverter)
    }
    private let format: WebSoundFormat
    private var encoding: Encoding?

    init(_ format: WebSoundFormat) { self.format = format }

    /// Called once, before the samples.
    mutating func begin(_ sound: SpeechFormat) throws(AudioError) {
        encoding = try Self.encoding(format, AudioFormat(sampleRate: sound.sampleRate, channels: sound.channels))
    }

    /// What is ready now; may be empty.
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

    /// The rest.
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

/// What the sound of an answer can be.
enum WebSoundFormat: Equatable, Sendable {
    case file(SoundFileFormat)
    /// 16-bit little-endian samples, one channel, 24 kHz, without any head.
    case pcm

    /// What programs for OpenAI's service take for granted.
    static let pcmFormat = AudioFormat(sampleRate: 24_000, channels: 1)

    /// In the order in which they are told.
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

    /// As Kokoro-FastAPI calls it beside captions.
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
