import SynthListening
import SynthEngineProcesses
import SynthSystem
import Testing
import TestSupport

@Suite("Buffering live audio", .ownThreads)
struct IncomingFramesTests {
    /// Frames with consecutive values, which reveal their order.
    private func numbers(_ range: Range<Int>) -> [Float] { range.map(Float.init) }

    @Test(
        "Frames keep their order, regardless of the chunk size", arguments: [1, 7, 4096, 5000],
        [1, 100, 4096, 9000])
    func order(added: Int, taken: Int) throws {
        let given = Monitor(0)
        let frames = try IncomingFrames(most: .max) { count in given.update { $0 += count } }
        var next = 0
        var got: [Float] = []
        while next < 20_000 {
            for _ in 0..<3 {
                frames.add(numbers(next..<next + added)[...])
                next += added
            }
            if case .frames(let more) = frames.next(most: taken) {
                #expect(more.count <= taken)
                got += more
            }
        }
        frames.end()
        while case .frames(let more) = frames.next(most: taken) { got += more }
        #expect(got == numbers(0..<next))
        #expect(frames.next(most: 1) == .ended)
        #expect(given.read { $0 } == next)
    }

    @Test("When the reader stops, buffered frames are discarded immediately")
    func abandoned() throws {
        let given = Monitor(0)
        let frames = try IncomingFrames(most: .max) { count in given.update { $0 += count } }
        frames.add(numbers(0..<10_000)[...])
        #expect(frames.next(most: 100) == .frames(numbers(0..<100)))
        frames.abandon()
        #expect(given.read { $0 } == 10_000)
        #expect(frames.add(numbers(0..<5)[...]) == false)
        #expect(frames.next(most: 100) == .nothing)
        #expect(given.read { $0 } == 10_000)
    }
}
