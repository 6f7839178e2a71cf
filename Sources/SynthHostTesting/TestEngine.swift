import Engines
import EngineWire
import System

/// An engine for tests: deterministic, without a process, and to be steered.
///
/// Each byte of a text lasts a fixed time of one steady level, each word tells when it begins, and nothing depends on a
/// clock. Any thread may use it.
public final class TestEngine: Sendable {
    /// Frames per second of its sound, which has one channel.
    public let sampleRate: Int
    /// How long a byte of text (UTF-8) sounds, spaces included.
    public let framesPerByte: Int

    /// How many speeches it speaks at once.
    public let lanes: Int

    private struct State {
        var spoken: [String] = []
        var crashingWord: String?
        var isHeld = false
        var laneCount = 0
        /// Lanes keep their engine, so the engine does not keep them.
        var lanes: [Weak] = []
    }
    private final class Weak: Sendable {
        weak let lane: TestLane?
        init(_ lane: TestLane) { self.lane = lane }
    }
    private let state = Monitor(State())

    /// An engine whose sound lasts so long for each byte.
    public init(sampleRate: Int = 16_000, framesPerByte: Int = 160, lanes: Int = 2) {
        self.lanes = max(1, lanes)
        self.sampleRate = sampleRate
        self.framesPerByte = framesPerByte
    }

    /// The sentences that it was asked to speak, in the order in which they came.
    public var spoken: [String] { state.read { $0.spoken } }

    /// From now on a sentence with this word ends after it, as a crashed engine ends; nil = none does.
    public func crash(at word: String?) { state.update { $0.crashingWord = word } }

    /// From now on a sentence that begins waits, with no sound, until `release` or its cancel.
    public func hold() { state.update { $0.isHeld = true } }

    /// Lets go what `hold` holds.
    public func release() {
        let lanes = state.update { state in
            state.isHeld = false
            return state.lanes
        }
        for lane in lanes { lane.lane?.release() }
    }

    /// Blocks until it was asked to speak so many sentences since the beginning.
    package func waitForSentences(_ count: Int) { _ = state.wait { $0.spoken.count >= count ? true : nil } }

    package func makeLane() -> TestLane {
        let lane = TestLane(self)
        state.update { state in
            state.laneCount += 1
            state.lanes.removeAll { $0.lane == nil }
            state.lanes.append(Weak(lane))
        }
        return lane
    }

    /// How many callers it has had that speak at a time.
    package var laneCount: Int { state.read { $0.laneCount } }

    func began(_ text: String) -> (isHeld: Bool, crashingWord: String?) {
        state.update { state in
            state.spoken.append(text)
            return (state.isHeld, state.crashingWord)
        }
    }

    /// What it says of itself.
    var description: EngineDescription {
        EngineDescription(
            id: Self.id, name: "Test engine", version: "1", licence: "Apache-2.0",
            capabilities: [.wordTimes, .streams],
            maxLanes: UInt32(clamping: lanes))
    }

    static let id = "test"
}
