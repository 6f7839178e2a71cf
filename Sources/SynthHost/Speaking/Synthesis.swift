import Engines
import EngineWire
import Glibc
import SpeechScript
import Synchronization
import SynthAudio
import System

/// Makes the sound of a text: reads utterances, has the engine speak them, and queues what comes of it.
final class Synthesis: Sendable {
    private let lane: any SpeakingLane
    private let secondLane: Speaker.SecondLane?
    private let lanes: Monitor<[any SpeakingLane]>
    private let line: UtteranceLine
    private let engine: EngineDescription
    private let voice: PreparedVoice
    private let settings: SpeechSettings
    private let source: any TextSource
    private let sound: SoundQueue
    private let isStopped = Atomic<Bool>(false)

    /// - Parameter secondLane: used after the first utterance, if it is given.
    init(
        lane: any SpeakingLane, secondLane: Speaker.SecondLane?, engine: EngineDescription, voice: PreparedVoice,
        settings: SpeechSettings, source: any TextSource, sound: SoundQueue
    ) {
        self.lane = lane
        self.secondLane = secondLane
        lanes = Monitor([lane])
        line = UtteranceLine(source)
        self.engine = engine
        self.voice = voice
        self.settings = settings
        self.source = source
        self.sound = sound
    }

    /// Blocks until all is queued, or `stop`; the queue is then closed, with the failure if there was one. Afterwards the
    /// lane may be given to somebody else.
    func run() {
        do throws(SpeechFailure) {
            try synthesize()
            letLanesGo()
            sound.close()
        } catch {
            letLanesGo()
            sound.close(error)
        }
    }

    /// Has `run` return soon. From any thread; returns at once.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        source.stop()
        stopLanes()
    }

    private func hasStopped() -> Bool { isStopped.load(ordering: .acquiring) }

    private func stopLanes() {
        line.abandon()
        // With the lock held: a lane that was let go speaks for somebody else.
        lanes.read { for lane in $0 { lane.cancel() } }
    }

    private func letLanesGo() {
        lanes.update { lanes in
            if isStopped.load(ordering: .acquiring) {
                for lane in lanes { lane.cancel() }
            }
            lanes = []
        }
    }

    private func synthesize() throws(SpeechFailure) {
        var position = SoundPosition()
        while !hasStopped(), let utterance = try source.next() {
            try synthesize(utterance, at: &position) { part throws(EngineFailure) in
                _ = try lane.speak(request(for: utterance), unless: hasStopped, part)
            }
            if let secondLane { return try synthesizeOnTwo(secondLane, at: &position) }
        }
    }

    /// All that is left of the text.
    private func synthesizeOnTwo(_ open: @escaping Speaker.SecondLane, at position: inout SoundPosition)
        throws(SpeechFailure)
    {
        guard startThread("lane", { [self] in serve(lane) }) else {
            throw .input("a thread for synthesis", Errno(EAGAIN))
        }
        // Where there is no other lane, one is enough.
        startThread("second-lane") { [self] in
            guard let second = try? open() else { return }
            lanes.update { $0.append(second) }
            serve(second)
        }
        do throws(SpeechFailure) {
            while !hasStopped(), let utterance = try line.first() {
                try synthesize(utterance, at: &position, line.speakFirst)
            }
        } catch {
            stopLanes()
            throw error
        }
    }

    private func serve(_ lane: any SpeakingLane) {
        line.serve { utterance, part throws(EngineFailure) in
            _ = try lane.speak(request(for: utterance), unless: hasStopped, part)
        }
    }

    private func request(for utterance: Utterance) -> EngineRequest {
        EngineRequest(
            settings.readsTokens && utterance.text.contains("[[")
                ? .textAndPhonemes(utterance.text) : .text(utterance.text),
            language: settings.language ?? voice.language, voices: voice.uses,
            rate: Float(settings.rate.clamped(to: engine.rate)), pitch: Float(settings.pitch.clamped(to: engine.pitch)),
            variation: Float(settings.variation - 1),
            // Sentences are the same for every engine: the host knows where they begin.
            wants: settings.wants.subtracting(.sentence))
    }

    /// - Parameter speak: gives the utterance's parts.
    private func synthesize(
        _ utterance: Utterance, at position: inout SoundPosition,
        _ speak: ((SpeechPart) -> Bool) throws(EngineFailure) -> Void
    ) throws(SpeechFailure) {
        var utteranceSound = UtteranceSound(
            utterance, at: position, into: sound, wantsSentence: settings.wants.contains(.sentence), chain: chain)
        var failure: AudioError?
        sound.setComputing(true)
        defer { sound.setComputing(false) }
        do throws(EngineFailure) {
            try speak { part in
                do throws(AudioError) {
                    return try utteranceSound.take(part)
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
            position = try utteranceSound.finish(pause: pause(after: utterance) / settings.rate)
        } catch {
            throw .audio(error)
        }
    }

    private func chain(from input: AudioFormat, to output: AudioFormat) throws(AudioError) -> UtteranceChain {
        try UtteranceChain(
            from: input, to: output, tempo: settings.rate / settings.rate.clamped(to: engine.rate),
            pitch: settings.pitch / settings.pitch.clamped(to: engine.pitch),
            gain: Gain(factor: settings.volume.factor * voice.gain.factor))
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
