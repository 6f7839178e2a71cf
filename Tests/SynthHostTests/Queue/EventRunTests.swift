import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech

@Suite("Events that can be read only once", .timeLimit(.minutes(60)))
struct EventRunTests {
    @Test("Events without a reader are dropped, no matter when they were sent")
    func dropped() async throws {
        let dropped = Monitor<[Int]>([])
        let hasLeft = Monitor(false)
        let run = EventRun<Int>("events", onDrop: { event in dropped.update { $0.append(event) } }) {
            run throws(SpeechError) in
            for event in 1...2 { run.tell(event) }
            _ = hasLeft.wait { $0 ? true : nil }
            run.tell(3)
        }
        #expect(try await EventLease(run).next(isolation: nil) == 1)
        hasLeft.update { $0 = true }
        await dropped.suspend { $0.count == 2 }
        #expect(dropped.read { $0 } == [2, 3])
    }
}
