package import Engines
package import EngineWire
import Glibc
import Synchronization
package import SynthAudio
import System

/// Speaks a text into a sink: synthesizes on one thread, ahead of the sound by a bounded time, and plays on the thread
/// that calls `speak`. Serves one text and is then used up.
package final class Speaker: Sendable {
    /// Opens another lane on the same model.
    package typealias SecondLane = @Sendable () throws(EngineFailure) -> any SpeakingLane

    private let engine: String
    private let synthesis: Synthesis
    private let sink: any AudioSink
    private let sound: SoundQueue
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameters:
    ///   - secondLane: for an engine that speaks on several at once. Used after the first utterance, and only if
    ///     nobody listens: there all of a text is wanted soon, and not just the next sentence in time.
    ///   - lookAhead: how much sound may wait at most between synthesis and sink.
    package init(
        lane: any SpeakingLane, secondLane: SecondLane? = nil, engine: EngineDescription, voice: PreparedVoice,
        settings: SpeechSettings, source: any TextSource, sink: any AudioSink, lookAhead: Duration = .seconds(10)
    ) {
        self.engine = engine.id
        self.sink = sink
        let sound = SoundQueue(lookAhead: lookAhead)
        self.sound = sound
        synthesis = Synthesis(
            lane: lane, secondLane: sink.isHeard || engine.maxLanes == 1 ? nil : secondLane, engine: engine,
            voice: voice, settings: settings, source: source, sound: sound)
        if sink.isAwaited, !engine.capabilities.contains(.streams) { source.beginSoon { sound.isDry } }
    }

    /// Ends it: what is queued is dropped, and `speak` returns soon. From any thread; returns at once.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        sink.stop()
        dropAll()
    }

    private func dropAll() {
        sound.abandon()
        synthesis.stop()
    }

    /// Blocks until all is spoken, or `cancel`. Whatever happens the sink is finished, so that a file holds what was
    /// spoken so far.
    package func speak(_ progress: (SpeechProgress) -> Void = { _ in }) throws(SpeechFailure) -> SpeechSummary {
        guard startThread("synthesis", { [synthesis] in synthesis.run() }) else {
            throw .engine(EngineFailure(engine: engine, reason: .notStarted("there is no thread left to speak on")))
        }
        let player = SoundPlayer(
            sound: sound, sink: sink, isCancelled: { [self] in wasCancelled })
        let frames = try player.run(progress, onFailure: dropAll)
        return SpeechSummary(
            format: sound.format, frames: frames, wasCancelled: wasCancelled)
    }

    private var wasCancelled: Bool { isCancelled.load(ordering: .acquiring) }
}
