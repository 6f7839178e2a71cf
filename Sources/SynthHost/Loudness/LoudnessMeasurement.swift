import Engines
import EngineWire
import ModelStore
package import VoiceCatalogue

/// Measures how loud a voice is: it speaks up to ten sentences, which nobody hears, and their loudness is that of the voice.
///
/// The engine has a process of its own for it, so that its crash or a cancel disturbs no speech. The sound is taken as
/// the engine gives it: without any gain, and without the speed, pitch and volume that the user wants.
package struct LoudnessMeasurement: Sendable {
    /// Fewer sentences are enough on a machine that is slow at this voice: three differ from ten by 0.5 LU at most.
    static let fewest = 3
    /// After this no other sentence is begun: somebody waits.
    static let longest = Duration.seconds(3)
    /// Ten sentences last about 30 seconds. A voice that does not come to an end is not waited for.
    static let longestSound = 300

    /// The voice that is measured.
    package var voice: Voice { installed.voice }
    private let installed: InstalledVoice
    private let store: ModelStore
    private let engine: Engine
    private let prepared: PreparedVoice
    private let sentences: [String]
    private let now: @Sendable () -> Duration

    /// - Parameters:
    ///   - sentences: in the language of the voice.
    ///   - now: the time since a fixed moment.
    init(
        _ installed: InstalledVoice, of store: ModelStore, as prepared: PreparedVoice, by engine: Engine,
        speaking sentences: [String], now: @escaping @Sendable () -> Duration
    ) {
        self.installed = installed
        self.store = store
        self.prepared = prepared
        self.engine = engine
        self.sentences = sentences
        self.now = now
    }

    /// Makes `run` throw. May be called on any thread.
    package func cancel() { engine.abandon() }

    /// Measures the voice and keeps the result in its record. Blocks: after the voice is loaded hardly longer than three
    /// seconds, or the time that three sentences take. If this throws, the record is as it was.
    ///
    /// - Parameter onProgress: is told what share of the work is done, on this thread.
    @discardableResult
    package func run(_ onProgress: (Double) -> Void = { _ in }) throws(LoudnessFailure) -> VoiceLoudness {
        let loudness = try measure(onProgress)
        do throws(StoreError) {
            try store.remember(loudness, of: installed)
        } catch {
            throw .store(error)
        }
        return loudness
    }

    private func measure(_ onProgress: (Double) -> Void) throws(LoudnessFailure) -> VoiceLoudness {
        // The engine's processes end with this.
        defer { engine.abandon() }
        let lane: EngineLane
        do throws(EngineFailure) {
            lane = try engine.openLane(on: prepared.load)
        } catch {
            throw .engine(error)
        }
        let sound = MeasuredSound(longest: Self.longestSound)
        let start = now()
        for (place, sentence) in sentences.enumerated() {
            let elapsed = now() - start
            if place >= Self.fewest, elapsed >= Self.longest { break }
            // The sentences end it, or the time after the first few.
            let byTime = min(elapsed / Self.longest, Double(place) / Double(Self.fewest))
            onProgress(max(Double(place) / Double(sentences.count), byTime))
            let request = LaneRequest(
                .text(sentence), language: prepared.language ?? voice.language, voices: prepared.uses)
            do throws(EngineFailure) {
                _ = try lane.speak(request) { sound.take($0) }
            } catch {
                throw .engine(error)
            }
            if let failure = sound.failure { throw failure }
        }
        guard let loudness = sound.loudness else { throw .silent }
        return loudness
    }
}
