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

    /// The rest. A speech without a sound is a short silence, which every player takes.
    mutating func end() throws(AudioError) -> [UInt8] {
        if encoding == nil { encoding = try Self.encoding(format, WebSoundFormat.pcmFormat) }
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
