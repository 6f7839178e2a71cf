import SynthAudio

/// What the sound of an answer can be.
enum WebSoundFormat: Hashable, Sendable {
    case file(SoundFileFormat)
    /// 16-bit little-endian samples, one channel, 24 kHz, without any head.
    case pcm

    /// What programs for OpenAI's service take for granted.
    static let pcmFormat = AudioFormat(sampleRate: 24_000, channels: 1)

    /// In the order in which they are told.
    static let all: [WebSoundFormat] = [.file(.mp3), .file(.opus), .file(.flac), .file(.wav), .pcm, .file(.ogg)]

    init(called name: String) throws(WebProblem) {
        guard let format = Self.all.first(where: { $0.name == name }) else {
            throw .format(name, known: Self.all.map(\.name))
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
