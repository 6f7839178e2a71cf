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
    /// Opens another lane on the same model.
    package typealias SecondLane = @Sendable () throws(EngineFailure) -> EngineLane

    private let lane: EngineLane
    private let secondLane: SecondLane?
    private let lanes: Mutex<[EngineLane]>
    private let line: UtteranceLine
    private let engine: EngineDescription
    private let voice: PreparedVoice
    private let settings: SpeechSettings
    private let source: any TextSource
    private let sink: any AudioSink
    private let sound: SoundQueue
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameters:
    ///   - secondLane: for an engine that speaks on several at once. Used behind the first utterance, and only where
    ///     nobody listens: there all of a text is wanted soon, and not just the next sentence in time.
    ///   - lookAhead: how much sound may wait at most between synthesis and sink.
    package init(
        lane: EngineLane, secondLane: SecondLane? = nil, engine: EngineDescription, voice: PreparedVoice,
        settings: SpeechSettings,
        source: any TextSource, sink: any AudioSink, lookAhead: Duration = .seconds(10)
    ) {
        self.lane = lane
        self.secondLane = sink.isHeard || engine.maxLanes == 1 ? nil : secondLane
        lanes = Mutex([lane])
        line = UtteranceLine(source)
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
        dropAll()
    }

    private func dropAll() {
        sound.abandon()
        source.stop()
        stopLanes()
    }

    private func stopLanes() {
        line.abandon()
        for lane in lanes.withLock({ $0 }) { lane.cancel() }
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
            dropAll()
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
            try synthesize(utterance, after: &pause) { part throws(EngineFailure) in
                _ = try lane.speak(request(for: utterance), part)
            }
            if let secondLane { return try synthesizeOnTwo(secondLane, after: &pause) }
        }
    }

    /// All that is left of the text.
    private func synthesizeOnTwo(_ open: @escaping SecondLane, after pause: inout Duration?) throws(SpeechFailure) {
        guard startThread("lane", { [self] in serve(lane) }) else {
            throw .input("a thread for synthesis", Errno(EAGAIN))
        }
        // Where there is no other lane, one is enough.
        startThread("second-lane") { [self] in
            guard let second = try? open() else { return }
            lanes.withLock { $0.append(second) }
            serve(second)
        }
        do throws(SpeechFailure) {
            while !isCancelled.load(ordering: .acquiring), let utterance = try line.first() {
                try synthesize(utterance, after: &pause, line.speakFirst)
            }
        } catch {
            stopLanes()
            throw error
        }
    }

    private func serve(_ lane: EngineLane) {
        line.serve { utterance, part throws(EngineFailure) in _ = try lane.speak(request(for: utterance), part) }
    }

    private func request(for utterance: Utterance) -> EngineRequest {
        EngineRequest(
            settings.readsTokens && utterance.text.contains("[[")
                ? .textAndPhonemes(utterance.text) : .text(utterance.text), language: settings.language,
            voices: voice.uses,
            rate: Float(settings.rate.clamped(to: engine.rate)), pitch: Float(settings.pitch.clamped(to: engine.pitch)))
    }

    /// - Parameters:
    ///   - pause: the silence that is due before anything more is said; nil as long as nothing was.
    ///   - speak: gives the utterance's parts.
    private func synthesize(
        _ utterance: Utterance, after pause: inout Duration?,
        _ speak: ((SpeechPart) -> Bool) throws(EngineFailure) -> Void
    ) throws(SpeechFailure) {
        let rate = settings.rate.clamped(to: engine.rate)
        let pitch = settings.pitch.clamped(to: engine.pitch)
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
            try speak { part in
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
