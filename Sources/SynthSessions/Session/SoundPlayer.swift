package import SynthAudio
import SynthSpeech
package import SynthSystem

/// Takes sound out of the queue and hands it to a sink, on the thread that calls it.
struct SoundPlayer {
    let sound: SoundQueue
    let sink: any AudioSink
    /// Whether what is queued is not wanted any more.
    let isCancelled: () -> Bool
    /// Shared with those who watch and steer; nil = nobody does.
    var control: PlaybackControl?
    /// Gets what each piece says before it is handed over; nil = nobody wants it.
    var timings: TimingsRecorder?

    /// Blocks until the queue has ended and the sink has it all. The sink is finished whatever happens, so that a file
    /// holds what was spoken so far.
    ///
    /// - Parameter onFailure: called as soon as the sink takes nothing more, before what is queued is dropped.
    /// - Returns: the frames that the sink got.
    func run(
        _ progress: (SpeechProgress) -> Void = { _ in }, onFailure: () -> Void
    ) throws(SpeechError) -> Int {
        let frames: Int
        do {
            frames = try play(progress)
        } catch {
            // Nobody listens any more.
            onFailure()
            // A sink that never began is left alone: a file that was there stays as it was.
            if sound.format != nil { try? sink.finishEarly() }
            throw error
        }
        try rethrowing(isCancelled() ? sink.finishEarly() : sink.finish(), as: AudioError.asSpeechError)
        return frames
    }

    /// In steps that are short enough to be steered, if somebody does.
    private func play(_ samples: [Float], in format: AudioFormat, by playback: inout Playback) throws(SpeechError) {
        guard let control else { return try playback.play(samples, in: format) }
        control.began(format)
        let step = max(format.sampleRate / 50, 1) * format.channels
        for start in stride(from: 0, to: samples.count, by: step) {
            try control.waitWhilePaused { () throws(SpeechError) in try playback.pause() }
            let part = Array(samples[start..<min(start + step, samples.count)])
            try playback.play(part, in: format)
            control.handed(frames: playback.frames, level: Self.level(of: part))
        }
    }

    private static func level(of samples: [Float]) -> Double {
        samples.isEmpty
            ? 0 : (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    private func play(_ progress: (SpeechProgress) -> Void) throws(SpeechError) -> Int {
        var playback = Playback(sink: sink)
        func runDry(isComputing: Bool) throws(SpeechError) {
            guard playback.frames > 0 else { return }
            try playback.pause()
            if isComputing {
                control?.ranDry()
                progress(.buffering)
            }
        }
        while let piece = try sound.pop(patience: { playback.timeUntilPause }, onDry: runDry) {
            // Those of a last piece without sound belong to a frame that was played.
            control?.append(piece.events)
            guard let format = sound.format else { continue }
            try timings?.take(piece, in: format)
            if piece.samples.isEmpty { continue }
            // The sink may take nothing more, and what it does not take does not count.
            if isCancelled() { break }
            let isFirst = playback.frames == 0
            try play(piece.samples, in: format, by: &playback)
            if isFirst { progress(.began(format)) }
            progress(.reached(textBytes: piece.sourceEnd, frames: playback.frames))
        }
        if !isCancelled() { try playback.finish() }
        return playback.frames
    }
}

/// Hands sound to a sink. If somebody listens, it can pause without a click.
package struct Playback {
    private let sink: any AudioSink
    /// Only for what is heard: sound that is stored stays as it is, however slowly it comes.
    private var fade: PauseFade?
    private var sampleRate = 1
    /// Handed over so far.
    package private(set) var frames = 0

    /// How long before a device runs dry its sound begins to fade, so that the end of it is still in time.
    private static let margin = Duration.milliseconds(40)

    package init(sink: any AudioSink) { self.sink = sink }

    /// How long nothing may come before the sound has to pause.
    package var timeUntilPause: Duration {
        guard fade != nil else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(sampleRate)) - Self.margin)
    }

    /// Blocks while the sink takes nothing more.
    package mutating func play(_ samples: [Float], in format: AudioFormat) throws(SpeechError) {
        if frames == 0 {
            try rethrowing(sink.begin(format), as: AudioError.asSpeechError)
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
    package mutating func pause() throws(SpeechError) {
        var rest: [Float] = []
        fade?.pause(into: &rest)
        try write(rest)
    }

    /// Nothing more comes.
    package mutating func finish() throws(SpeechError) {
        var rest: [Float] = []
        fade?.finish(into: &rest)
        try write(rest)
    }

    private func write(_ samples: [Float]) throws(SpeechError) {
        guard !samples.isEmpty else { return }
        try rethrowing(sink.write(samples[...]), as: AudioError.asSpeechError)
    }
}
