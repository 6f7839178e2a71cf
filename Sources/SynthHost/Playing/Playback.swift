import SynthAudio

/// Hands sound to a sink. If somebody listens, it can pause without a click.
struct Playback {
    private let sink: any AudioSink
    /// Only for what is heard: sound that is stored stays as it is, however slowly it comes.
    private var fade: PauseFade?
    private var sampleRate = 1
    /// Handed over so far.
    private(set) var frames = 0

    /// How long before a device runs dry its sound begins to fade, so that the end of it is still in time.
    private static let margin = Duration.milliseconds(40)

    init(sink: any AudioSink) { self.sink = sink }

    /// How long nothing may come before the sound has to pause.
    var timeUntilPause: Duration {
        guard fade != nil else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(sampleRate)) - Self.margin)
    }

    /// Blocks while the sink takes nothing more.
    mutating func play(_ samples: [Float], in format: AudioFormat) throws(SpeechFailure) {
        if frames == 0 {
            try Self.attempt { () throws(AudioError) in try sink.begin(format) }
            sampleRate = format.sampleRate
            if sink.isHeard { fade = PauseFade(format: format) }
        }
        frames += samples.count / format.channels
        guard fade != nil else { return try write(samples) }
        var ready: [Float] = []
        fade?.process(samples[...], into: &ready)
        try write(ready)
    }

    /// Nothing came in time.
    mutating func pause() throws(SpeechFailure) {
        var rest: [Float] = []
        fade?.pause(into: &rest)
        try write(rest)
    }

    /// Nothing more comes.
    mutating func finish() throws(SpeechFailure) {
        var rest: [Float] = []
        fade?.finish(into: &rest)
        try write(rest)
    }

    private func write(_ samples: [Float]) throws(SpeechFailure) {
        guard !samples.isEmpty else { return }
        try Self.attempt { () throws(AudioError) in try sink.write(samples[...]) }
    }

    private static func attempt(_ body: () throws(AudioError) -> Void) throws(SpeechFailure) {
        do {
            try body()
        } catch {
            throw .audio(error)
        }
    }
}
