import Synchronization
import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
import SynthScript
package import SynthSystem

/// Synthesizes text: reads utterances, makes the engine speak them, and queues the audio.
package final class Synthesis: Sendable {
    private let lane: any SpeakingLane
    private let spareLane: SpareLane?
    private let lanes: Monitor<Lanes>
    private let utterances: ReorderBuffer
    private let engine: EngineDescription
    private let voice: PreparedVoice
    private let settings: SpeechSettings
    private let source: any TextSource
    private let sound: SoundQueue
    private let startingThreads: ThreadStart
    private let isAwaited: Bool
    private let isReplaceable: @Sendable () -> Bool
    private let clips: ScriptClips
    private let onNotice: @Sendable (SpeechNotice) -> Void
    private let isStopped = Atomic<Bool>(false)

    private struct Lanes {
        /// The lanes that are speaking this text. A lane is removed when it is returned, so that it is not cancelled
        /// while speaking for another client.
        var speaking: [any SpeakingLane]
        /// The number of threads on which a lane is running.
        var threads = 0
        var isOver = false
    }

    /// - Parameters:
    ///   - spareLane: an additional lane to use after the first utterance. Useful if all of the audio is needed soon,
    ///     rather than only the next sentence.
    ///   - isAwaited: whether a listener is waiting, in which case the audio should start soon.
    ///   - isReplaceable: whether another engine can take over if this one fails.
    ///   - startingThreads: starts the threads of both lanes.
    ///   - onNotice: called on the lane threads.
    package init(
        lane: any SpeakingLane, spareLane: SpareLane? = nil, engine: EngineDescription, voice: PreparedVoice,
        settings: SpeechSettings, source: any TextSource, sound: SoundQueue,
        clips: ScriptClips = ScriptClips(), isAwaited: Bool = false,
        isReplaceable: @escaping @Sendable () -> Bool = { false },
        startingThreads: @escaping ThreadStart = startThread,
        onNotice: @escaping @Sendable (SpeechNotice) -> Void = { _ in }
    ) {
        self.onNotice = onNotice
        self.clips = clips
        self.lane = lane
        self.spareLane = spareLane
        lanes = Monitor(Lanes(speaking: [lane]))
        utterances = ReorderBuffer(source)
        self.engine = engine
        self.voice = voice
        self.settings = settings
        self.source = source
        self.sound = sound
        self.isAwaited = isAwaited
        self.isReplaceable = isReplaceable
        self.startingThreads = startingThreads
    }

    /// Blocks until all audio is queued or `stop` is called. After that, other clients can use the lane.
    ///
    /// - Parameter position: the position in the audio. On return, it includes all queued audio.
    package func run(from position: inout SoundPosition) throws(SpeechError) {
        defer { releaseLanes() }
        try synthesize(from: &position)
    }

    /// Makes `run` return soon. Can be called from any thread; does not block.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        source.stop()
        stopLanes()
    }

    private func hasStopped() -> Bool { isStopped.load(ordering: .acquiring) }

    private func stopLanes() {
        utterances.abandon()
        // Called under the lock, because a returned lane may already be speaking for another client.
        lanes.read { for lane in $0.speaking { lane.cancel() } }
    }

    /// Blocks until no thread is using a lane.
    private func releaseLanes() {
        if hasStopped() { stopLanes() }
        _ = lanes.wait { lanes -> Bool? in
            lanes.isOver = true
            guard lanes.threads == 0 else { return nil }
            lanes.speaking = []
            return true
        }
    }

    private func synthesize(from position: inout SoundPosition) throws(SpeechError) {
        while !hasStopped(), let step = try source.next() {
            guard case .utterance(let utterance) = step else {
                try take(step, at: &position)
                continue
            }
            if isSilent(utterance) {
                pass(utterance, at: &position)
                continue
            }
            // While audio is queued, the next utterance can be synthesized in one piece, which is faster.
            let isStarved = sound.isStarved
            try synthesize(utterance, at: &position) { part throws(EngineFailure) in
                try speak(utterance, on: lane, isAwaited: isStarved, whileReplaceable: isReplaceable, part)
            }
            if let spareLane, isMuchLeft(after: utterance), let next = try source.next() {
                utterances.putBack(next)
                return try synthesizeOnTwo(spareLane, at: &position)
            }
        }
    }

    /// Whether enough text remains to make a second lane worthwhile. Two lanes have a higher throughput, but the last
    /// utterance then runs on only half of the processors. Live text is always considered long enough.
    private func isMuchLeft(after utterance: Utterance) -> Bool {
        guard let byteCount = source.byteCount else { return true }
        return byteCount - utterance.sourceRange.upperBound >= Self.bytesForTwo
    }

    /// The remaining text, in bytes, that makes a second lane worthwhile: about six sentences.
    private static let bytesForTwo = 500

    /// Synthesizes the remaining text on two lanes.
    private func synthesizeOnTwo(_ spareLane: SpareLane, at position: inout SoundPosition) throws(SpeechError) {
        lanes.update { $0.threads += 1 }
        let isServed = startingThreads("lane") { [self] in
            serve(lane)
            lanes.update { $0.threads -= 1 }
        }
        guard isServed else {
            lanes.update { $0.threads -= 1 }
            throw .noThread
        }
        // If no second lane is available, synthesis continues on the first.
        _ = startingThreads("second-lane") { [self] in spareLane.use(serveSpare) }
        do {
            while !hasStopped(), let step = try utterances.first() {
                if case .utterance(let utterance) = step, isSilent(utterance) {
                    pass(utterance, at: &position)
                    utterances.passFirst()
                } else if case .utterance(let utterance) = step {
                    try synthesize(utterance, at: &position, utterances.speakFirst)
                } else {
                    try take(step, at: &position)
                    utterances.passFirst()
                }
            }
        } catch {
            // A lane may be blocked waiting for live text.
            source.stop()
            stopLanes()
            throw error
        }
    }

    /// - Parameter isSpare: returns false as soon as another request is waiting for the lane.
    private func serveSpare(_ lane: any SpeakingLane, while isSpare: () -> Bool) {
        let isWanted = lanes.update { lanes in
            // The text may have ended while the lane was opening.
            if lanes.isOver { return false }
            lanes.speaking.append(lane)
            lanes.threads += 1
            return true
        }
        guard isWanted else { return }
        serve(lane, while: isSpare)
        lanes.update { lanes in
            lanes.speaking.removeAll { $0 === lane }
            lanes.threads -= 1
        }
    }

    private func serve(_ lane: any SpeakingLane, while isWanted: () -> Bool = { true }) {
        utterances.serve(while: isWanted) { utterance, isAwaited, part throws(EngineFailure) in
            // The first audio has been queued, so a slow engine is not replaced.
            try speak(utterance, on: lane, isAwaited: isAwaited, whileReplaceable: { false }, part)
        }
    }

    /// Speaks an utterance. If the engine does not support phonemes or cannot pronounce some of them, the words are spoken
    /// instead. Event positions refer to the utterance's text.
    private func speak(
        _ utterance: Utterance, on lane: any SpeakingLane, isAwaited: Bool,
        whileReplaceable isReplaceable: () -> Bool, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) {
        var hasBegun = false
        func speak(_ text: EngineText) throws(EngineFailure) {
            if text.form.text.isEmpty { return }
            var request = request(for: utterance, text)
            request.isAwaited = self.isAwaited && isAwaited
            func take(_ given: SpeechPart) -> Bool {
                hasBegun = true
                return part(text.placed(given))
            }
            _ = try lane.speak(request, unless: hasStopped, whileReplaceable: isReplaceable, take)
        }
        let text = EngineText(utterance, takesPhonemes: takesPhonemes)
        var reason: String?
        if !text.form.lacksPhonemes {
            do {
                return try speak(text)
            } catch {
                guard text.form.hasPhonemes, !hasBegun, case .reported(let cause) = error.reason,
                    cause.kind == .badRequest
                else { throw error }
                reason = cause.message
            }
        }
        reportSkippedPhonemes(of: utterance, reason)
        try speak(text.form.lacksPhonemes ? text : EngineText(utterance, takesPhonemes: false))
    }

    private var takesPhonemes: Bool { engine.capabilities.contains(.phonemes) }

    /// Whether the utterance contains no speech.
    private func isSilent(_ utterance: Utterance) -> Bool {
        if utterance.pronunciations.isEmpty { return utterance.text.isEmpty }
        return EngineText(utterance, takesPhonemes: takesPhonemes).form.text.isEmpty
    }

    private func reportSkippedPhonemes(of utterance: Utterance, _ reason: String? = nil) {
        for notice in SpeechNotice.phonemesSkipped(of: utterance, engine: engine.id, reason: reason) {
            onNotice(notice)
        }
    }

    private func request(for utterance: Utterance, _ text: EngineText) -> LaneRequest {
        let form = text.form
        let shape = UtterancePitch(utterance)
        let tuning = UtteranceTuning(settings, utterance.style, engine, shape)
        let shapesPitch = engine.capabilities.contains(.shapesPitch)
        if !shapesPitch, !shape.points.isEmpty { onNotice(.contourSkipped(engine: engine.id)) }
        let isWhispered = settings.isWhispered || utterance.style.isWhispered
        let whispers = engine.capabilities.contains(.whispers)
        if isWhispered, !whispers { onNotice(.whisperSkipped(engine: engine.id)) }
        let hasPhonemes = form.hasPhonemes || settings.readsTokens && form.text.contains("[[")
        // A mark within an utterance is reported at the start of the next word, so word events are needed.
        let marks: EventKinds = utterance.marks.isEmpty ? [] : .word
        let intonation = min(max(settings.intonation * utterance.style.intonation, 0), 2) - 1
        return LaneRequest(
            hasPhonemes ? .textAndPhonemes(form.text) : .text(form.text),
            language: utterance.style.language ?? settings.language ?? voice.language, voices: voice.uses,
            rate: Float(tuning.engineRate), pitch: Float(tuning.enginePitch),
            variation: Float(settings.variation - 1),
            // The host reports sentences itself, so that they are consistent across engines.
            wants: settings.wants.union(marks).intersection([.word, .phoneme]),
            pitchPoints: tuning.pitchPoints.prefix(LaneRequest.maximumPitchPoints).map { point in
                LanePitchPoint(offset: text.offset(of: point.offset), factor: Float(point.factor))
            },
            intonation: shapesPitch ? Float(intonation) : 0,
            isWhispered: isWhispered && whispers)
    }

    /// Handles steps other than utterances.
    private func take(_ step: ScriptStep, at position: inout SoundPosition) throws(SpeechError) {
        switch step {
        case .utterance: break
        case .clip(let clip):
            guard let file = clips.files[clip.name] else { return }
            try ClipSound(clip: clip, file: file).queue(into: sound, at: &position, unless: hasStopped)
        case .silence(let duration): position.silence = (position.silence ?? .zero) + duration
        case .mark(let name, let source): position.reach(name, source: source, in: sound)
        }
    }

    /// Handles an utterance without speech. Its marks must still be reported.
    private func pass(_ utterance: Utterance, at position: inout SoundPosition) {
        if !takesPhonemes { reportSkippedPhonemes(of: utterance) }
        for mark in utterance.marks { position.reach(mark.name, source: mark.source, in: sound) }
    }

    /// - Parameter speak: produces the utterance's parts.
    private func synthesize(
        _ utterance: Utterance, at position: inout SoundPosition,
        _ speak: ((SpeechPart) -> Bool) throws(EngineFailure) -> Void
    ) throws(SpeechError) {
        let tuning = UtteranceTuning(settings, utterance.style, engine, UtterancePitch(utterance))
        var utteranceSound = UtteranceSound(
            utterance, at: position, into: sound, wants: settings.wants, volume: tuning.volume, rate: tuning.rate
        ) { [voice] input, output throws(AudioError) in
            try UtteranceChain(
                from: input, to: output, tempo: tuning.tempo, pitch: tuning.pitch,
                gain: Gain(factor: tuning.volume * voice.gain.factor))
        }
        var failure: AudioError?
        sound.setComputing(true)
        defer { sound.setComputing(false) }
        do {
            try speak { part in
                do throws(AudioError) {
                    return try utteranceSound.take(part)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            position = utteranceSound.brokenOff
            position.brokenWord = utteranceSound.lastWord
            throw voice.failure(error)
        }
        do throws(AudioError) {
            if let failure { throw failure }
            position.brokenWord = nil
            position = try utteranceSound.finish(pause: settings.pauses.atRate(tuning.rate).after(utterance.pauseAfter))
        } catch {
            position = utteranceSound.brokenOff
            position.brokenWord = utteranceSound.lastWord
            throw SpeechError(error)
        }
    }
}
