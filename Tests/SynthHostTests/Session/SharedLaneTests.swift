import SynthHostTesting
import System
import Testing

@testable import SynthHost

@Suite("Speeches that share one lane")
struct SharedLaneTests {
    private static let book = (1...30).map { "Sentence \($0)." }.joined(separator: " ")

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

    @Test("an urgent one comes after the sentence that is spoken, also if nobody takes the other's sound")
    func urgent() async throws {
        // Each sentence fills the look-ahead.
        let engine = TestEngine(framesPerByte: 16_000, lanes: 1)
        let session = try await session(engine)
        let book = session.speak(try GivenText(Self.book), settings(.background))
        var parts = book.makeAsyncIterator()
        _ = try await parts.next()
        let spoken = engine.spoken.count
        let urgent = session.speak(try GivenText("Now."), settings(.urgent))
        #expect(try await frames(urgent) == 4 * 16_000)
        // What is made for nobody does not grow with what comes between.
        let order = engine.spoken
        #expect(order.last == "Now." && order.count <= spoken + 3)
        for _ in 0..<5 { _ = try await frames(session.speak(try GivenText("Now."), settings(.urgent))) }
        #expect(engine.spoken.filter { $0 != "Now." }.count <= spoken + 3)
        // The book is whole all the same.
        var rest = 0
        while let part = try await parts.next() { if case .audio(let audio) = part { rest += audio.samples.count } }
        #expect(rest > 25 * 12 * 16_000)
        #expect(engine.spoken.filter { $0 != "Now." }.count == 30)
    }

    @Test("those of the same priority take turns, and the more urgent goes first")
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
            let speech = session.speak(try GivenText(text), settings(priority))
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

    @Test("a cancel while another speaks ends at once, and leaves the lane to the other")
    func cancel() async throws {
        let engine = TestEngine(framesPerByte: 1, lanes: 1)
        let session = try await session(engine)
        engine.hold()
        let first = session.speak(try GivenText("One. Two."), settings(.normal))
        let reading = Task { try await frames(first) }
        await onThread("wait") { engine.waitForSentences(1) }
        let second = session.speak(try GivenText("Three."), settings(.urgent))
        let cancelled = Task { try await frames(second) }
        await onThread("wait") { session.waitForTickets(1) }
        second.cancel()
        await #expect(throws: SpeechError.self) { try await cancelled.value }
        engine.release()
        #expect(try await reading.value > 0)
        #expect(engine.spoken == ["One.", "Two."])
    }
}
