import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthSystem

/// The body of an answer that is sent when it is whole: the sound alone, or an object with it and the times of its words.
struct WholeSpeech {
    private enum Making {
        case file(WholeSound)
        case samples(FormatConverter)
    }
    private let format: WebSoundFormat
    private let bytes: SpooledBytes
    private var making: Making?
    /// nil = the sound alone.
    private var captions: CaptionedWords?

    /// - Parameter captions: gets the words; nil = the answer is the sound alone.
    init(_ format: WebSoundFormat, in bytes: SpooledBytes, captions: CaptionedWords? = nil) {
        self.format = format
        self.bytes = bytes
        self.captions = captions
    }

    var contentType: String { captions == nil ? format.contentType : CaptionedWords.contentType }

    /// Bytes of the sound that are kept.
    var count: Int { bytes.count }

    mutating func take(_ part: Speech.Part) throws(AudioError) {
        captions?.take(part)
        switch part {
        case .format(let format): try begin(AudioFormat(sampleRate: format.sampleRate, channels: format.channels))
        case .audio(let audio): try write(audio.samples[...])
        default: break
        }
    }

    /// The sound is complete.
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

    /// After `end`: sends it.
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
                // The client sees that something is missing.
                throw WebFailure.stopped
            }
            if piece.isEmpty { break }
            offset += piece.count
            try answer.write(captions == nil ? piece : Array(Base64.text(of: piece).utf8))
        }
        try answer.write(tail)
        try answer.end()
    }

    /// In bytes; text in base 64 has no gap after a multiple of three.
    private static let piece = 48 << 10

    private mutating func begin(_ sound: AudioFormat) throws(AudioError) {
        switch format {
        case .file(let format): making = .file(try WholeSound(SoundFileOptions(format), sound, in: bytes))
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
