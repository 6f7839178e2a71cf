package import SynthEngineProcesses
package import SynthEngineWire
import SynthSystem

/// A deterministic engine that runs in the test process and is controlled by the test.
///
/// Each byte of text becomes a fixed number of samples with a constant level. An event is reported at the start of each word. The engine
/// uses no clock. Thread-safe.
public final class TestEngine: Sendable {
    /// The sample rate in hertz. The audio is mono.
    public let sampleRate: Int
    /// The number of frames per byte of text (UTF-8), including spaces.
    public let framesPerByte: Int

    /// The number of requests that the engine can process in parallel.
    public let lanes: Int

    private let abilities: EngineDescription.Capabilities

    private struct State {
        var requests: [LaneRequest] = []
        var crashingWord: String?
        var isHeld = false
        var releases = 0
        var laneCount = 0
        /// Weak references, because lanes retain their engine.
        var lanes: [Weak] = []
    }
    private final class Weak: Sendable {
        weak let lane: TestLane?
        init(_ lane: TestLane) { self.lane = lane }
    }
    private let state = Monitor(State())

    /// Creates an engine with the given format and speed.
    public convenience init(sampleRate: Int = 16_000, framesPerByte: Int = 160, lanes: Int = 2) {
        self.init(sampleRate: sampleRate, framesPerByte: framesPerByte, lanes: lanes, abilities: [])
    }

    /// - Parameter abilities: the capabilities that the engine reports. They do not change the audio.
    package init(
        sampleRate: Int = 16_000, framesPerByte: Int = 160, lanes: Int = 2, abilities: EngineDescription.Capabilities
    ) {
        self.abilities = abilities
        self.lanes = max(1, lanes)
        self.sampleRate = sampleRate
        self.framesPerByte = framesPerByte
    }

    /// The sentences that the engine was asked to speak, in order.
    public var spoken: [String] { requests.map(\.text.content) }

    /// The complete requests, in order.
    package var requests: [LaneRequest] { state.read { $0.requests } }

    /// Makes every sentence that contains this word fail immediately after the word, as if the engine had crashed. nil
    /// disables these failures.
    public func crash(at word: String?) { state.update { $0.crashingWord = word } }

    /// Blocks each new sentence before its first audio until `release` is called or the sentence is cancelled.
    public func hold() { state.update { $0.isHeld = true } }

    /// Releases the sentences that are blocked because of `hold`.
    public func release() {
        state.update { $0.isHeld = false }
        releaseWaiting()
    }

    /// Releases the blocked sentences. Sentences requested later still block.
    package func releaseWaiting() {
        let lanes = state.update { state in
            state.releases += 1
            return state.lanes
        }
        for lane in lanes { lane.lane?.release() }
    }

    /// Blocks until `count` sentences have been requested in total.
    package func waitForSentences(_ count: Int) { _ = state.wait { $0.requests.count >= count ? true : nil } }

    /// Blocks until `count` lanes have been opened in total.
    package func waitForLanes(_ count: Int) { _ = state.wait { $0.laneCount >= count ? true : nil } }

    package func makeLane() -> TestLane {
        let lane = TestLane(self)
        state.update { state in
            state.laneCount += 1
            state.lanes.removeAll { $0.lane == nil }
            state.lanes.append(Weak(lane))
        }
        return lane
    }

    /// The number of open lanes.
    package var openLanes: Int { state.read { $0.lanes.count { $0.lane != nil } } }

    /// The number of lanes opened so far.
    package var laneCount: Int { state.read { $0.laneCount } }

    var releases: Int { state.read { $0.releases } }

    func began(_ request: LaneRequest) -> (isHeld: Bool, releases: Int, crashingWord: String?) {
        state.update { state in
            state.requests.append(request)
            return (state.isHeld, state.releases, state.crashingWord)
        }
    }

    var description: EngineDescription {
        EngineDescription(
            id: Self.id, name: "Test engine", version: "1", license: "Apache-2.0",
            capabilities: abilities.union([.wordTimes, .streams]), maxLanes: UInt32(clamping: lanes),
            pitch: abilities.contains(.shapesPitch) ? 0.5...2 : 1...1)
    }

    static let id = "test"
}

/// A lane of a test engine.
package final class TestLane: SpeakingLane {
    private struct State {
        var requests: [LaneRequest] = []
        var cancels = 0
        var isHeld = false
        var isDead = false
    }
    private let state = Monitor(State())
    private let engine: TestEngine

    package init(_ engine: TestEngine) { self.engine = engine }

    package var isAlive: Bool { state.read { !$0.isDead } }
    package var requests: [LaneRequest] { state.read { $0.requests } }
    package var cancels: Int { state.read { $0.cancels } }

    /// Blocks until a request arrives.
    package func waitForRequest() { _ = state.wait { $0.requests.isEmpty ? nil : true } }

    func release() { state.update { $0.isHeld = false } }

    package func cancel() {
        state.update { state in
            state.cancels += 1
            state.isHeld = false
        }
    }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        // Read the count first, so that a later cancellation is noticed below.
        let before = state.read { $0.cancels }
        if isStopped() { return false }
        let (isHeld, releases, crashingWord) = engine.began(request)
        state.update { state in
            state.requests.append(request)
            state.isHeld = isHeld && state.cancels == before
        }
        // The engine may have been released and held again before this lane started waiting.
        if engine.releases != releases { release() }
        _ = state.wait { $0.isHeld ? nil : true }
        let wasCancelled = { self.state.read { $0.cancels != before } }
        guard !wasCancelled(), part(.begin(sampleRate: engine.sampleRate, channels: 1)) else { return false }
        let text = Array(request.text.content.utf8)
        var offset = 0
        for word in text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            let range = offset..<offset + word.count
            let frame = offset * engine.framesPerByte
            offset = min(range.upperBound + 1, text.count)
            if request.wants.contains(.word), !word.isEmpty {
                let event = SpeechEvent(kind: .word, frame: UInt64(frame), frameCount: 0, text: range)
                guard part(.event(event)) else { return false }
            }
            let count = (offset - range.lowerBound) * engine.framesPerByte
            // Real engines send at most 4,096 samples per call.
            for start in stride(from: 0, to: count, by: 4096) {
                let samples = [Float](repeating: 0.25, count: min(4096, count - start))
                guard !wasCancelled(), part(.audio(samples)) else { return false }
            }
            if let crashingWord, String(decoding: word, as: UTF8.self).contains(crashingWord) {
                state.update { $0.isDead = true }
                throw EngineFailure(engine: TestEngine.id, reason: .crashed(signal: 11, .speaking))
            }
        }
        return !wasCancelled()
    }
}
