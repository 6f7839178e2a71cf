import SynthAudio

/// Brings the pieces of a speech into the format of a queue, with the frames of their events.
struct SpeechResampler {
    private let converter: FormatConverter
    private let from: Int
    private let to: Int

    init(from: SpeechFormat, to: AudioFormat) throws(SpeechFailure) {
        self.from = from.sampleRate
        self.to = to.sampleRate
        let input = AudioFormat(sampleRate: from.sampleRate, channels: from.channels)
        converter = try Self.attempt { () throws(AudioError) in try FormatConverter(from: input, to: to) }
    }

    func process(_ piece: SoundQueue.Piece) throws(SpeechFailure) -> (samples: [Float], events: [SpokenEvent]) {
        var samples: [Float] = []
        try Self.attempt { () throws(AudioError) in try converter.process(piece.samples[...], into: &samples) }
        let events = piece.events.map { event in
            var event = event
            event.frame = Int((Double(event.frame) * Double(to) / Double(from)).rounded())
            return event
        }
        return (samples, events)
    }

    /// What is still inside.
    func finish() throws(SpeechFailure) -> [Float] {
        var samples: [Float] = []
        try Self.attempt { () throws(AudioError) in try converter.finish(into: &samples) }
        return samples
    }

    private static func attempt<Value>(_ body: () throws(AudioError) -> Value) throws(SpeechFailure) -> Value {
        do throws(AudioError) {
            return try body()
        } catch {
            throw .audio(error)
        }
    }
}
