import SynthAudio

/// Takes sound out of the queue and hands it to a sink, on the thread that calls it.
struct SoundPlayer {
    let sound: SoundQueue
    let sink: any AudioSink
    /// Whether what is queued is not wanted any more.
    let isCancelled: () -> Bool

    /// Blocks until the queue has ended and the sink has it all. The sink is finished whatever happens, so that a file
    /// holds what was spoken so far.
    ///
    /// - Parameter onFailure: called as soon as the sink takes nothing more, before what is queued is let go.
    /// - Returns: the frames that the sink got.
    func run(
        _ progress: (SpeechProgress) -> Void = { _ in }, onFailure: () -> Void
    ) throws(SpeechFailure) -> Int {
        let frames: Int
        do throws(SpeechFailure) {
            frames = try play(progress)
        } catch {
            // Nobody listens any more.
            onFailure()
            // A sink that never began is left alone: a file that was there stays as it was.
            if sound.format != nil { try? sink.finish() }
            throw error
        }
        do {
            try sink.finish()
        } catch {
            throw .audio(error)
        }
        return frames
    }

    private func play(_ progress: (SpeechProgress) -> Void) throws(SpeechFailure) -> Int {
        var playback = Playback(sink: sink)
        func runDry(isComputing: Bool) throws(SpeechFailure) {
            guard playback.frames > 0 else { return }
            try playback.pause()
            if isComputing { progress(.buffering) }
        }
        while let piece = try sound.pop(patience: { playback.timeUntilPause }, onDry: runDry) {
            guard let format = sound.format, !piece.samples.isEmpty else { continue }
            let isFirst = playback.frames == 0
            try playback.play(piece.samples, in: format)
            if isFirst { progress(.began(format)) }
            progress(.reached(textBytes: piece.sourceEnd, frames: playback.frames))
        }
        if !isCancelled() { try playback.finish() }
        return playback.frames
    }
}
