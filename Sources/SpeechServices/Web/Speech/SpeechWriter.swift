import SynthAudio
import SynthHost

/// Makes the body of an answer of the parts of a speech.
protocol SpeechWriter {
    var contentType: String { get }

    /// What is sent for some parts; may be empty.
    mutating func bytes(of part: Speech.Part) throws(AudioError) -> [UInt8]

    /// What is sent after the last part.
    mutating func end() throws(AudioError) -> [UInt8]

    /// What is sent if the speech fails in the middle, before the connection breaks.
    func bytes(of problem: WebProblem, _ words: ServiceWords) -> [UInt8]
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
    func bytes(of problem: WebProblem, _ words: ServiceWords) -> [UInt8] { [] }
}
