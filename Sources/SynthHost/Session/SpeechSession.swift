package import Engines
package import EngineWire
import SynthAudio
import System

/// A voice that is loaded and stays warm until the session is let go.
///
/// Any thread or task may use it. Speeches that are read at the same time are spoken side by side, as far as the engine can,
/// and beyond that one after the other in the order of their first reads. After a crash of the engine the next speech
/// starts another; the session need not be made anew.
public final class SpeechSession: Sendable {
    /// What a session needs of its voice.
    package struct Source: Sendable {
        let engine: EngineDescription
        let voice: PreparedVoice
        let presets: Configuration
        let openLane: LanePool.Open

        package init(
            engine: EngineDescription, voice: PreparedVoice, presets: Configuration,
            openLane: @escaping @Sendable () throws(EngineFailure) -> any SpeakingLane
        ) {
            self.engine = engine
            self.voice = voice
            self.presets = presets
            self.openLane = openLane
        }
    }

    /// More at once would only take each other's time.
    private static let mostLanes = 4

    /// The voice that speaks.
    public let voice: SpeechVoice
    private let source: Source
    private let lanes: LanePool

    package init(_ voice: SpeechVoice, _ source: Source) {
        self.voice = voice
        self.source = source
        let most = source.engine.maxLanes == 0 ? Self.mostLanes : min(Self.mostLanes, Int(source.engine.maxLanes))
        lanes = LanePool(limit: most, open: source.openLane)
    }

    deinit { lanes.close() }

    /// Speaks a text. Nothing happens before the speech is read.
    public func speak(_ text: String, _ options: SpeechOptions = SpeechOptions()) -> Speech {
        speech(options) { () throws(SpeechFailure) in try GivenText(text) }
    }

    /// Speaks a text while it is still being written, as by a language model: the first sentence sounds as soon as it is
    /// whole, and the end of the sequence speaks what is left. Pieces are asked for one at a time, as they are needed.
    public func speak<Pieces: AsyncSequence & Sendable>(
        stream pieces: Pieces, _ options: SpeechOptions = SpeechOptions()
    ) -> Speech where Pieces.Element == String {
        speech(options) { () throws(SpeechFailure) in TextFeedSource(TextFeed(pieces)) }
    }

    /// Loads the voice before the first speech does. Suspends until it could speak.
    public func warmUp() async throws(SpeechError) {
        let lanes = lanes
        let result = await onThread("warm-up") { () -> Result<Void, SpeechError> in
            do throws(EngineFailure) {
                guard let lane = try lanes.take(lanes.ticket()) else { return .failure(.closed) }
                lanes.giveBack(lane)
                return .success(())
            } catch {
                return .failure(SpeechError(.engine(error)))
            }
        }
        try result.get()
    }

    private func speech(
        _ options: SpeechOptions, _ text: @escaping @Sendable () throws(SpeechFailure) -> any TextSource
    ) -> Speech {
        let (source, lanes) = (source, lanes)
        // The speech keeps the session, which keeps the engine.
        return Speech(
            SpeechRun(lookAhead: options.lookAhead, device: source.presets.device) { [self] run, sound, isAwaited in
                do throws(SpeechFailure) {
                    let text = try text()
                    defer { text.stop() }
                    let ticket = lanes.ticket()
                    run.stopping(by: { lanes.giveUp(ticket) })
                    let lane: (any SpeakingLane)?
                    do throws(EngineFailure) {
                        lane = try lanes.take(ticket)
                    } catch {
                        throw .engine(error)
                    }
                    guard let lane else { return sound.close() }
                    defer { lanes.giveBack(lane) }
                    if isAwaited, !source.engine.capabilities.contains(.streams) { text.beginSoon { sound.isDry } }
                    let synthesis = Synthesis(
                        lane: lane, secondLane: nil, engine: source.engine, voice: source.voice,
                        settings: SpeechSettings(options, presets: source.presets), source: text, sound: sound)
                    run.stopping(by: { synthesis.stop() })
                    synthesis.run()
                } catch {
                    sound.close(error)
                }
                withExtendedLifetime(self) {}
            })
    }
}

extension SpeechSettings {
    init(_ options: SpeechOptions, presets: Configuration) {
        self.init(
            rate: options.rate ?? presets.rate, pitch: options.pitch ?? presets.pitch,
            volume: Gain(factor: Float(options.volume ?? presets.volume)), language: options.language)
        variation = options.variation
        readsTokens = options.readsPhonemes
        wants = EventKinds(rawValue: options.events.rawValue)
    }
}
