import SynthAudio
import SynthScript
import SynthSystem

/// A clip converted to the speech format, preceded by the pending pause.
struct ClipSound {
    let clip: ScriptClip
    let file: ClipFile

    /// The output sample rate if the speech starts with a clip. It is high enough for any voice that follows.
    private static let usualRate = 48_000

    /// Queues the entire clip. Blocks while the queue is full.
    ///
    /// - Parameter isStopped: checked before each block.
    func queue(
        into sound: SoundQueue, at position: inout SoundPosition, unless isStopped: () -> Bool
    ) throws(SpeechError) {
        let format: AudioFormat = if let known = sound.format { known } else { sound.begin(try firstFormat()) }
        guard position.beginSound(in: format, into: sound, sourceEnd: clip.source.lowerBound) else { return }
        let reader = try reader(as: format)
        var limiter = Limiter(format: format)
        while !isStopped(), let block = try rethrowing(reader.next(), as: AudioError.asSpeechError) {
            var limited: [Float] = []
            limiter.process(block[...], into: &limited)
            guard push(limited, in: format, into: sound, at: &position) else { return }
        }
        var rest: [Float] = []
        limiter.finish(into: &rest)
        _ = push(rest, in: format, into: sound, at: &position)
        // No pause follows a clip.
        position.pause = .zero
        position.quiet = 0
    }

    private func push(
        _ samples: [Float], in format: AudioFormat, into sound: SoundQueue, at position: inout SoundPosition
    ) -> Bool {
        if samples.isEmpty { return true }
        position.frames += samples.count / format.channels
        return sound.push(SoundQueue.Piece(samples: samples, sourceEnd: clip.source.upperBound))
    }

    private func firstFormat() throws(SpeechError) -> AudioFormat {
        let asked = AudioFormat(sampleRate: Self.usualRate, channels: 1)
        return AudioFormat(sampleRate: asked.sampleRate, channels: min(try reader(as: asked).source.channels, 2))
    }

    private func reader(as format: AudioFormat) throws(SpeechError) -> ClipReader {
        try rethrowing(ClipReader(file, as: format, gain: Decibels(clip.gain)), as: AudioError.asSpeechError)
    }
}
