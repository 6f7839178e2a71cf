package import SynthAudio
package import SynthSystem

/// Passes queued audio to a sink on the calling thread.
struct SoundPlayer {
    let sound: SoundQueue
    let sink: any AudioSink
    /// Whether the queued audio is no longer needed.
    let isCancelled: () -> Bool
    /// The state shared with observers and controllers, or nil if there are none.
    var control: PlaybackControl<SpokenEvent>?
    /// The recorder that gets each chunk before the sink does, or nil if no timings are written.
    var timings: TimingsRecorder?

    /// Blocks until the queue has ended and the sink has received all audio. Finishes the sink even after an error, so
    /// that a file contains all audio up to the error.
    ///
    /// - Parameter onFailure: called if the sink fails, before the queued audio is dropped.
    /// - Returns: the number of frames passed to the sink.
    func run(
        _ progress: (SpeechProgress) -> Void = { _ in }, onFailure: () -> Void
    ) throws(SpeechError) -> Int {
        let frames: Int
        do {
            frames = try play(progress)
        } catch {
            // The sink has stopped accepting audio.
            onFailure()
            // If the sink was never started, do not finish it, so that an existing file is left unchanged.
            if sound.format != nil { try? sink.finishEarly() }
            throw error
        }
        try rethrowing(isCancelled() ? sink.finishEarly() : sink.finish(), as: AudioError.asSpeechError)
        return frames
    }

    /// Passes samples to the sink. If there is a controller, the samples are passed in short steps, so that playback
    /// can be paused.
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
        func underrun(isComputing: Bool) throws(SpeechError) {
            guard playback.frames > 0 else { return }
            try playback.pause()
            if isComputing {
                control?.noteUnderrun()
                progress(.buffering)
            }
        }
        while let piece = try sound.pop(timeout: { playback.timeUntilPause }, onUnderrun: underrun) {
            // If the final chunk contains no audio, its events belong to the last frame.
            control?.append(piece.events)
            guard let format = sound.format else { continue }
            try timings?.take(piece, in: format)
            if piece.samples.isEmpty { continue }
            // The sink may stop accepting audio. Do not count rejected frames.
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

/// Passes audio to a sink. If the sink is a device, playback fades out before a pause to avoid a click.
package struct Playback {
    private let sink: any AudioSink
    /// Used only for devices, because a file's contents must not depend on synthesis speed.
    private var fade: PauseFade?
    private var sampleRate = 1
    /// The number of frames passed to the sink.
    package private(set) var frames = 0

    /// The amount of audio left in the device at which the fade-out starts, so that it ends before the device runs out
    /// of audio.
    private static let margin = Duration.milliseconds(40)

    package init(sink: any AudioSink) { self.sink = sink }

    /// How long playback can continue without more audio before it must fade out.
    package var timeUntilPause: Duration {
        guard fade != nil else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(sampleRate)) - Self.margin)
    }

    /// Blocks while the sink is full.
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

    /// Fades out because the next audio is late.
    package mutating func pause() throws(SpeechError) {
        var rest: [Float] = []
        fade?.pause(into: &rest)
        try write(rest)
    }

    /// Passes the buffered frames to the sink at the end of the audio.
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

/// The result of speaking text.
package struct SpeechSummary: Equatable, Sendable {
    /// The audio format, or nil if the text contained no speech.
    package var format: AudioFormat?
    /// The number of frames passed to the sink, or 0 if the text contained no speech or if the speech was cancelled
    /// before the audio started.
    package var frames: Int
    package var wasCancelled: Bool
    /// The kind of timings in the timings file, or nil if none was written.
    package var timing: TimingsKind?
    /// The path of the timings file, or nil if none was written. It differs from the requested path if the speech ended
    /// early and a file already existed there.
    package var timingsPath: String?
    /// The deviations from the request.
    package var notices: [SpeechNotice]

    package init(
        format: AudioFormat?, frames: Int, wasCancelled: Bool, timing: TimingsKind? = nil, timingsPath: String? = nil,
        notices: [SpeechNotice] = []
    ) {
        self.format = format
        self.frames = frames
        self.wasCancelled = wasCancelled
        self.timing = timing
        self.timingsPath = timingsPath
        self.notices = notices
    }

    package var duration: Duration {
        format.map { .seconds(Double(frames) / Double($0.sampleRate)) } ?? .zero
    }
}

/// The progress of speaking text.
package enum SpeechProgress: Equatable, Sendable {
    /// The first audio is available.
    case began(AudioFormat)
    /// The number of text bytes whose audio has been passed to the sink, and the number of frames passed to it.
    case reached(textBytes: Int, frames: Int)
    /// An underrun occurred. Playback resumes when more audio is available.
    case buffering
}
