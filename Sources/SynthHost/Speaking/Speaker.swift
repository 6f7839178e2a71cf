package import EngineWire
package import Engines
import Glibc
import LinuxSystem
import SpeechScript
package import SynthAudio
import Synchronization

/// Speaks a text into a sink: synthesizes on one thread, ahead of the sound by a bounded time, and plays on the thread
/// that calls `speak`. Serves one text and is then used up.
package final class Speaker: Sendable {
    private let lane: EngineLane
    private let engine: EngineDescription
    private let voice: PreparedVoice
    private let settings: SpeechSettings
    private let source: any TextSource
    private let sink: any AudioSink
    private let sound: SoundQueue
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameter lookAhead: how much sound may wait at most between synthesis and sink.
    package init(
        lane: EngineLane, engine: EngineDescription, voice: PreparedVoice, settings: SpeechSettings,
        source: any TextSource, sink: any AudioSink, lookAhead: Duration = .seconds(10)
    ) {
        self.lane = lane
        self.engine = engine
        self.voice = voice
        self.settings = settings
        self.source = source
        self.sink = sink
        sound = SoundQueue(lookAhead: lookAhead)
        if sink.isAwaited, !engine.capabilities.contains(.streams) { source.limits = .early }
    }

    /// Ends it: what is queued is dropped, and `speak` returns soon. From any thread; returns at once.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        sink.stop()
        sound.abandon()
        source.stop()
        lane.cancel()
    }

    /// Blocks until all is spoken, or `cancel`. Whatever happens the sink is finished, so that a file holds what was
    /// spoken so far.
    package func speak(_ progress: (SpeechProgress) -> Void = { _ in }) throws(SpeechFailure) -> SpeechSummary {
        let isStarted = startThread("synthesis") { [self] in
            do throws(SpeechFailure) {
                try synthesize()
                sound.close()
            } catch {
                sound.close(error)
            }
        }
        guard isStarted else { throw .input("a thread for synthesis", Errno(EAGAIN)) }
        let frames: Int
        do throws(SpeechFailure) {
            frames = try play(progress)
        } catch {
            // Nobody listens any more.
            sound.abandon()
            source.stop()
            lane.cancel()
            // A sink that never began is left alone: a file that was there stays as it was.
            if sound.format != nil { try? sink.finish() }
            throw error
        }
        do {
            try sink.finish()
        } catch {
            throw .audio(error)
        }
        return SpeechSummary(
            format: sound.format, frames: frames, wasCancelled: isCancelled.load(ordering: .acquiring))
    }

    // MARK: - The thread that plays

    private func play(_ progress: (SpeechProgress) -> Void) throws(SpeechFailure) -> Int {
        var playback = Playback(sink: sink)
        func runDry(isComputing: Bool) throws(SpeechFailure) {
            guard playback.frames > 0 else { return }
            try playback.pause()
            if isComputing { progress(.buffering) }
        }
        while let piece = try sound.pop(patience: { playback.timeUntilPause }, onDry: runDry) {
            guard let format = sound.format else { continue }
            let isFirst = playback.frames == 0
            try playback.play(piece.samples, in: format)
            if isFirst { progress(.began(format)) }
            progress(.reached(textBytes: piece.sourceEnd, frames: playback.frames))
        }
        if !isCancelled.load(ordering: .acquiring) { try playback.finish() }
        return playback.frames
    }

    // MARK: - The thread that synthesizes

    private func synthesize() throws(SpeechFailure) {
        // Silence stands only between what sounds.
        var pause: Duration?
        while !isCancelled.load(ordering: .acquiring), let utterance = try source.next() {
            try synthesize(utterance, after: &pause)
        }
    }

    /// - Parameter pause: the silence that is due before anything more is said; nil as long as nothing was.
    private func synthesize(_ utterance: Utterance, after pause: inout Duration?) throws(SpeechFailure) {
        let rate = settings.rate.clamped(to: engine.rate)
        let pitch = settings.pitch.clamped(to: engine.pitch)
        let request = EngineRequest(
            .text(utterance.text), language: settings.language,
            voices: voice.uses, rate: Float(rate),
            pitch: Float(pitch))
        let sourceEnd = utterance.sourceRange.upperBound
        var chain: UtteranceChain?
        var failure: AudioError?
        var due = pause ?? .zero

        func hand(_ part: SpeechPart) throws(AudioError) -> Bool {
            switch part {
            case .begin(let sampleRate, let channels):
                let input = AudioFormat(sampleRate: sampleRate, channels: channels)
                let output = sound.begin(input)
                chain = try UtteranceChain(
                    from: input, to: output, tempo: settings.rate / rate, pitch: settings.pitch / pitch,
                    gain: Gain(factor: settings.volume.factor * voice.gain.factor))
                defer { due = .zero }
                return due == .zero || sound.push(.silence(due, in: output, sourceEnd: sourceEnd))
            case .audio(let samples):
                guard let processed = try chain?.process(samples), !processed.isEmpty else { return true }
                return sound.push(SoundQueue.Piece(samples: processed, sourceEnd: sourceEnd))
            case .event: return true
            }
        }

        sound.setComputing(true)
        defer { sound.setComputing(false) }
        do throws(EngineFailure) {
            _ = try lane.speak(request) { part in
                do throws(AudioError) {
                    return try hand(part)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw .engine(error)
        }
        do throws(AudioError) {
            if let failure { throw failure }
            if let rest = try chain?.finish(), !rest.isEmpty {
                _ = sound.push(SoundQueue.Piece(samples: rest, sourceEnd: sourceEnd))
            }
        } catch {
            throw .audio(error)
        }
        let next = self.pause(after: utterance) / settings.rate
        pause = chain == nil ? pause.map { max($0, next) } : next
    }

    private func pause(after utterance: Utterance) -> Duration {
        switch utterance.pauseAfter {
        case .none: .zero
        case .sentence: settings.pauses.sentence
        case .paragraph: settings.pauses.paragraph
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Double {
        Swift.min(Swift.max(self, Double(range.lowerBound)), Double(range.upperBound))
    }
}

extension SoundQueue.Piece {
    fileprivate static func silence(_ duration: Duration, in format: AudioFormat, sourceEnd: Int) -> Self {
        let frames = Int(duration.seconds * Double(format.sampleRate))
        return Self(samples: [Float](repeating: 0, count: frames * format.channels), sourceEnd: sourceEnd)
    }
}
