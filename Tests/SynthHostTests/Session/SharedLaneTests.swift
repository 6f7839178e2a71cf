import SynthEngineProcesses
import SynthEngineWire
import SynthHostTesting
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Requests that share a lane")
struct SharedLaneTests {
    private static let bookSentences = 30
    private static let book = (1...bookSentences).map { "Sentence \($0)." }.joined(separator: " ")

    private func session(_ engine: TestEngine) async throws -> SpeechSession {
        let host = SpeechHost(testing: engine)
        return try await host.session(try await host.voice())
    }

    private func settings(_ priority: SpeechPriority) -> SpeechSettings {
        var settings = SpeechSettings()
        settings.priority = priority
        return settings
    }

    private func frames(_ speech: Speech) async throws -> Int {
        var frames = 0
        for try await part in speech { if case .audio(let audio) = part { frames += audio.samples.count } }
        return frames
    }

    @Test("An urgent request is served after the current sentence, even if the other request's audio is not being read")
    func urgent() async throws {
        // Each sentence fills the look-ahead.
        let engine = TestEngine(framesPerByte: 16_000, lanes: 1)
        let session = try await session(engine)
        let book = session.speak(try CompleteText(Self.book), settings(.background))
        var parts = book.makeAsyncIterator()
        _ = try await parts.next()
        let spoken = engine.spoken.count
        let urgent = session.speak(try CompleteText("Now."), settings(.urgent))
        #expect(try await frames(urgent) == 4 * 16_000)
        // The amount of unread audio does not grow while urgent texts are spoken in between.
        let order = engine.spoken
        #expect(order.last == "Now." && order.count <= spoken + 3)
        for _ in 0..<5 { _ = try await frames(session.speak(try CompleteText("Now."), settings(.urgent))) }
        #expect(engine.spoken.filter { $0 != "Now." }.count <= spoken + 3)
        // The book is still complete.
        var rest = 0
        while let part = try await parts.next() { if case .audio(let audio) = part { rest += audio.samples.count } }
        #expect(rest > 25 * 12 * 16_000)
        #expect(engine.spoken.filter { $0 != "Now." }.count == 30)
    }

    @Test("Requests with equal priority take turns, and more urgent requests come first")
    func turns() async throws {
        let engine = TestEngine(framesPerByte: 1, lanes: 1)
        let session = try await session(engine)
        engine.hold()
        let texts = [
            ("Wait.", SpeechPriority.normal), ("A1. A2. A3.", .background), ("B1. B2. B3.", .normal),
            ("C1. C2.", .urgent),
        ]
        var tasks: [Task<Int, any Error>] = []
        for (index, (text, priority)) in texts.enumerated() {
            let speech = session.speak(try CompleteText(text), settings(priority))
            tasks.append(Task { try await frames(speech) })
            await onThread("wait") {
                if index == 0 { engine.waitForSentences(1) } else { session.waitForTickets(index) }
            }
        }
        engine.release()
        for task in tasks { _ = try await task.value }
        #expect(engine.spoken.first == "Wait.")
        #expect(engine.spoken.dropFirst().filter { $0.hasPrefix("A") } == ["A1.", "A2.", "A3."])
        let firsts = ["C1.", "B1.", "A1."].map { first in engine.spoken.firstIndex(of: first) ?? -1 }
        #expect(firsts == firsts.sorted() && engine.laneCount == 1)
    }

    @Test("If a request that is waiting for the lane is cancelled, it ends immediately, and the other gets the lane")
    func cancel() async throws {
        let engine = TestEngine(framesPerByte: 1, lanes: 1)
        let session = try await session(engine)
        engine.hold()
        let first = session.speak(try CompleteText("One. Two."), settings(.normal))
        let reading = Task { try await frames(first) }
        await onThread("wait") { engine.waitForSentences(1) }
        let second = session.speak(try CompleteText("Three."), settings(.urgent))
        let cancelled = Task { try await frames(second) }
        await onThread("wait") { session.waitForTickets(1) }
        second.cancel()
        await #expect(throws: SpeechError.self) { try await cancelled.value }
        engine.release()
        #expect(try await reading.value > 0)
        #expect(engine.spoken == ["One.", "Two."])
    }

    /// A lane that speaks until it is cancelled. A waiting request can acquire the lane before the cancellation takes
    /// effect.
    private final class SlowCancelLane: SpeakingLane {
        private let state = Monitor((speaking: "", isCancelled: false, cancels: [String]()))
        var isAlive: Bool { true }
        var cancelled: [String] { state.read { $0.cancels } }

        func cancel() {
            state.update { $0.isCancelled = true }
            _ = state.wait(timeout: .milliseconds(200)) { $0.speaking == "Second." ? true : nil }
            state.update { $0.cancels.append($0.speaking) }
        }

        func speak(
            _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
            _ part: (SpeechPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            let isFirst = request.text.content == "First."
            state.update { $0.speaking = request.text.content }
            defer { if isFirst { state.update { $0.speaking = "nobody" } } }
            return !isFirst || state.wait { $0.isCancelled ? false : nil } ?? false
        }

        func waitForFirst() { _ = state.wait { $0.speaking == "First." ? true : nil } }
    }

    @Test("A cancellation never affects the next request on the lane")
    func cancelsItsOwn() async throws {
        let lane = SlowCancelLane()
        let pool = LanePool(limit: 1) { _ in lane }
        func speak(_ text: String, _ shared: SharedLane) -> Task<Bool, any Error> {
            let request = LaneRequest(.text(text), language: "en", voices: [])
            return Task {
                try await onThread(text) { Result { try shared.speak(request, unless: { false }) { _ in true } } }.get()
            }
        }
        func shared() -> SharedLane { SharedLane(pool, .normal, into: SoundQueue(lookAhead: .seconds(10))) }
        let leaving = shared()
        let first = speak("First.", leaving)
        await onThread("wait") { lane.waitForFirst() }
        let second = speak("Second.", shared())
        await onThread("wait") { pool.waitForTickets(1) }
        await onThread("cancel") { leaving.cancel() }
        #expect(try await first.value == false)
        #expect(try await second.value)
        #expect(!lane.cancelled.contains("Second."))
    }

    /// A lane whose process is terminated before or after the first part.
    private final class EndedLane: SpeakingLane {
        private let parts: Int
        private let isCausedByAnotherRequest: Bool
        init(after parts: Int, isCausedByAnotherRequest: Bool) {
            (self.parts, self.isCausedByAnotherRequest) = (parts, isCausedByAnotherRequest)
        }
        var isAlive: Bool { false }
        func cancel() {}

        func speak(
            _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
            _ part: (SpeechPart) -> Bool
        ) throws(EngineFailure) -> Bool {
            for _ in 0..<parts { _ = part(.begin(sampleRate: 24_000, channels: 1)) }
            var failure = EngineFailure(engine: "test", reason: .hung(.seconds(1), .speaking))
            failure.isCausedByAnotherRequest = isCausedByAnotherRequest
            throw failure
        }
    }

    @Test(
        "If a request's process was terminated because of another request, it is retried once, unless audio was delivered",
        arguments: [(0, true, 1), (0, true, 2), (0, false, 1), (1, true, 1)])
    func endedForAnother(parts: Int, isCausedByAnotherRequest: Bool, times: Int) throws {
        let engine = TestEngine(framesPerByte: 1)
        let opened = Monitor(0)
        let pool = LanePool(limit: 2) { _ in
            let count = opened.update { count in
                count += 1
                return count
            }
            return count <= times
                ? EndedLane(after: parts, isCausedByAnotherRequest: isCausedByAnotherRequest) : engine.makeLane()
        }
        let shared = SharedLane(pool, .normal, into: SoundQueue(lookAhead: .seconds(10)))
        let request = LaneRequest(.text("One."), language: "en", voices: [])
        let result = Result { try shared.speak(request, unless: { false }) { _ in true } }
        let isSpoken = parts == 0 && isCausedByAnotherRequest && times == 1
        #expect((try? result.get()) == (isSpoken ? true : nil))
        #expect(opened.read { $0 } == (parts == 0 && isCausedByAnotherRequest ? 2 : 1))
    }

    @Test(
        "A request is urgent unless another request of equal priority is waiting for the lane",
        arguments: [SpeechPriority.normal, .background])
    func awaited(last: SpeechPriority) async throws {
        let engine = TestEngine(framesPerByte: 1, lanes: 1)
        let lane = engine.makeLane()
        let pool = LanePool(limit: 1) { _ in lane }
        engine.hold()
        var tasks: [Task<Bool, any Error>] = []
        for (index, (text, priority)) in [("One.", .normal), ("Two.", .normal), ("Three.", last)].enumerated() {
            let shared = SharedLane(pool, priority, into: SoundQueue(lookAhead: .seconds(10)))
            let request = LaneRequest(.text(text), language: "en", voices: [], isAwaited: true)
            tasks.append(
                Task {
                    try await onThread("speech") {
                        Result { try shared.speak(request, unless: { false }) { _ in true } }
                    }.get()
                })
            await onThread("wait") { index == 0 ? engine.waitForSentences(1) : pool.waitForTickets(index) }
        }
        engine.release()
        for task in tasks { #expect(try await task.value) }
        #expect(lane.requests.map(\.isAwaited) == [true, last == .background, true])
    }

    @Test("A lane is spare if there are more free lanes than waiting requests")
    func left() throws {
        let engine = TestEngine(framesPerByte: 1)
        let pool = LanePool(limit: 2) { _ in engine.makeLane() }
        let first = pool.ticket()
        #expect(pool.hasSpare)
        let second = pool.ticket()
        #expect(!pool.hasSpare)
        pool.giveUp(second)
        let lanes = [try pool.take(first), try pool.takeSpare()]
        #expect(lanes.allSatisfy { $0 != nil } && !pool.hasSpare)
        if let lane = lanes[0] { pool.release(lane) }
        #expect(pool.hasSpare)
    }

    /// Returns the number of frames in the next parts; `nil` after the last.
    private static func next(_ reader: inout SpeechReader) throws -> Int? {
        try reader.next().map { parts in
            parts.reduce(0) { if case .audio(let audio) = $1 { $0 + audio.samples.count } else { $0 } }
        }
    }

    private func read(_ session: SpeechSession, _ text: String, _ settings: SpeechSettings) throws -> Int {
        try frames(session.speak(try CompleteText(text), settings))
    }

    private func frames(_ speech: Speech) throws -> Int {
        var reader = SpeechReader(speech)
        var frames = 0
        while let more = try Self.next(&reader) { frames += more }
        return frames
    }

    @Test("A long text that is read as it arrives uses two lanes, but holds neither of them while reading is paused")
    func spare() async throws {
        let long = (1...2_000).map { "This is the sentence \($0)." }.joined(separator: " ")
        let (engine, single) = (TestEngine(framesPerByte: 10), TestEngine(framesPerByte: 10, lanes: 1))
        let (session, alone) = (try await session(engine), try await session(single))
        try await onThread("reading") { [self] in
            Result {
                let settings = settings(.normal)
                #expect(try read(session, Self.book, settings) == read(alone, Self.book, settings))
                #expect(engine.laneCount == 1)
                engine.hold()
                let whole = session.speak(try CompleteText(long), settings)
                let frames = Monitor(Int?.none)
                startThread("listener") {
                    let read = (try? self.frames(whole)) ?? 0
                    frames.update { $0 = read }
                }
                engine.waitForSentences(1 + Self.bookSentences)
                engine.releaseWaiting()
                // Each lane is waiting with a sentence, or soon will be.
                engine.waitForLanes(2)
                engine.release()
                #expect(frames.wait { $0 } == (try read(alone, long, settings)) && single.laneCount == 1)

                var stopped = SpeechReader(session.speak(try CompleteText(long), settings))
                #expect(try Self.next(&stopped) != nil)
                for _ in 0..<2 { #expect(try read(session, "Now.", self.settings(.background)) == 4 * 10) }
                #expect(engine.laneCount == 2)
                withExtendedLifetime(stopped) {}
            }
        }.get()
    }
}
