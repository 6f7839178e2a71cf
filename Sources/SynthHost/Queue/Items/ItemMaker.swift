import SynthAudio
import SynthSpeech
import SynthSystem

/// Produces an item's audio on a separate thread.
struct ItemMaker: Sendable {
    let format: SpeechFormat
    let clips: ClipLibrary
    let sessions: QueueSessions
    /// Whether the audio is played as it is produced.
    let isHeard: Bool

    /// Produces the item's audio. Blocks until all audio has been consumed or is no longer needed.
    func make(_ item: SpeechQueue.Item, on channel: SpeechQueue.Channel, into sound: ItemSound) {
        do throws(SpeechError) {
            switch item.content {
            case .text(let text, let voice, let options):
                try speak(try sessions.session(of: voice, on: channel).speak(text, options), into: sound)
            case .session(let text, let session, let options):
                try speak(sessions.session(session, on: channel).speak(text, options), into: sound)
            case .speech(let speech): try speak(speech, into: sound)
            case .made(let make): try speak(try make(), into: sound)
            case .clip(let name, let gain): try read(name, try clips.file(named: name), gain, into: sound)
            case .file(let name, let file, let gain): try read(name, file, gain, into: sound)
            case .pause, .cue, .listen: break
            }
            sound.finish()
        } catch {
            sound.finish(error)
        }
    }

    private var output: AudioFormat { AudioFormat(sampleRate: format.sampleRate, channels: format.channels) }

    private func speak(_ speech: Speech, into sound: ItemSound) throws(SpeechError) {
        guard let isAwaited = sound.waitForTurn() else { return }
        let run = speech.run
        let lease = SpeechLease(run)
        defer { withExtendedLifetime(lease) {} }
        sound.stopping { run.cancel() }
        let listener = SpeechRun.Listener(isAwaited: isAwaited, isHeard: isHeard)
        var resampled: SpeechResampler?
        do throws(SpeechError) {
            while let piece = try run.take(lease, for: listener) {
                guard let input = run.format else { continue }
                if resampled == nil { resampled = try SpeechResampler(from: input, to: output) }
                guard let part = try resampled?.process(piece), sound.push(part.samples, part.events) else {
                    return
                }
            }
        } catch {
            // Audio that precedes the error is still played.
            if let rest = try resampled?.finish() { _ = sound.push(rest) }
            throw error
        }
        if let rest = try resampled?.finish() { _ = sound.push(rest) }
    }

    private func read(
        _ name: String, _ file: ClipFile, _ gain: SoundLevel, into sound: ItemSound
    ) throws(SpeechError) {
        let reader = try rethrowing(ClipReader(file, as: output, gain: gain.decibels), as: AudioError.asSpeechError)
        while let block = try rethrowing(reader.next(), as: AudioError.asSpeechError), sound.push(block) {}
    }
}

/// Converts the audio and the event positions of an utterance to the queue's format.
struct SpeechResampler {
    private let converter: FormatConverter
    private let from: Int
    private let to: Int

    init(from: SpeechFormat, to: AudioFormat) throws(SpeechError) {
        self.from = from.sampleRate
        self.to = to.sampleRate
        let input = AudioFormat(sampleRate: from.sampleRate, channels: from.channels)
        converter = try rethrowing(FormatConverter(from: input, to: to), as: AudioError.asSpeechError)
    }

    func process(_ piece: SoundQueue.Piece) throws(SpeechError) -> (samples: [Float], events: [SpokenEvent]) {
        var samples: [Float] = []
        try rethrowing(converter.process(piece.samples[...], into: &samples), as: AudioError.asSpeechError)
        let events = piece.events.map { event in
            var event = event
            event.frame = Int((Double(event.frame) * Double(to) / Double(from)).rounded())
            return event
        }
        return (samples, events)
    }

    /// Returns the audio remaining in the converter.
    func finish() throws(SpeechError) -> [Float] {
        var samples: [Float] = []
        try rethrowing(converter.finish(into: &samples), as: AudioError.asSpeechError)
        return samples
    }
}
