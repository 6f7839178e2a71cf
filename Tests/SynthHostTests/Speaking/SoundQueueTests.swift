import SynthAudio
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Audio queue")
struct SoundQueueTests {
    private static let mono = AudioFormat(sampleRate: 1000, channels: 1)

    private func piece(_ count: Int, upTo end: Int = 0) -> SoundQueue.Piece {
        SoundQueue.Piece(samples: [Float](repeating: 0.5, count: count), sourceEnd: end)
    }

    private func pop(_ queue: SoundQueue) throws(SpeechError) -> SoundQueue.Piece? {
        try queue.pop(timeout: { .zero }, onUnderrun: { _ in })
    }

    @Test("The queue delivers the pieces in order and then ends")
    func order() throws {
        let queue = SoundQueue(lookAhead: .seconds(10))
        #expect(!queue.push(piece(1)))
        #expect(queue.begin(Self.mono) == Self.mono)
        #expect(queue.begin(AudioFormat(sampleRate: 8000, channels: 2)) == Self.mono)
        for end in 1...3 { #expect(queue.push(piece(10, upTo: end))) }
        queue.close()
        #expect(!queue.push(piece(1)))
        for end in 1...3 { #expect(try pop(queue)?.sourceEnd == end) }
        #expect(try pop(queue) == nil)
        #expect(try pop(queue) == nil)
    }

    @Test("A failure is reported after the queued audio, and only the first one is reported")
    func failureAfterSound() throws {
        let queue = SoundQueue(lookAhead: .seconds(10))
        _ = queue.begin(Self.mono)
        _ = queue.push(piece(10))
        queue.close(.notReadable("one", Errno(5)))
        queue.close(.notReadable("two", Errno(5)))
        #expect(try pop(queue) != nil)
        #expect {
            _ = try pop(queue)
        } throws: { error in
            error as? SpeechError == .notReadable("one", Errno(5))
        }
    }

    @Test("The queue holds a limited duration or one piece of any length, and further pushes wait until there is space")
    func bounded() throws {
        let queue = SoundQueue(lookAhead: .seconds(1))
        _ = queue.begin(Self.mono)
        #expect(queue.push(piece(5000)))
        let pushed = Monitor(false)
        startThread("push") {
            let isPushed = queue.push(SoundQueue.Piece(samples: [0], sourceEnd: 2))
            pushed.update { $0 = isPushed }
        }
        #expect(pushed.wait(timeout: .milliseconds(100)) { $0 ? true : nil } == nil)
        #expect(try pop(queue)?.samples.count == 5000)
        #expect(pushed.wait(timeout: .seconds(300)) { $0 ? true : nil } == true)
        #expect(try pop(queue)?.sourceEnd == 2)
    }

    @Test("Abandoning the queue releases callers that are waiting in push or pop")
    func abandoned() throws {
        let queue = SoundQueue(lookAhead: .zero)
        _ = queue.begin(Self.mono)
        #expect(queue.push(piece(10)))
        let answer = Monitor<Bool?>(nil)
        startThread("push") {
            let isPushed = queue.push(SoundQueue.Piece(samples: [0], sourceEnd: 2))
            answer.update { $0 = isPushed }
        }
        queue.abandon()
        #expect(answer.wait(timeout: .seconds(300)) { $0 } == false)
        #expect(try pop(queue) == nil)
    }

    @Test(
        "An underrun is reported only after a delay, and the report states whether the engine is computing",
        arguments: [false, true])
    func dry(isComputing: Bool) throws {
        let queue = SoundQueue(lookAhead: .seconds(1))
        _ = queue.begin(Self.mono)
        queue.setComputing(isComputing)
        #expect(queue.isStarved)
        var told: [Bool] = []
        let piece = try queue.pop(timeout: { .milliseconds(50) }) { isComputing in
            told.append(isComputing)
            _ = queue.push(SoundQueue.Piece(samples: [0], sourceEnd: 7))
        }
        #expect(piece?.sourceEnd == 7)
        #expect(told == [isComputing])
        #expect(!queue.isStarved)

        startThread("push") { _ = queue.push(SoundQueue.Piece(samples: [0], sourceEnd: 8)) }
        let late = try queue.pop(timeout: { .seconds(600) }) { _ in
            Issue.record("The queue reported an underrun for a piece that arrived in time.")
        }
        #expect(late?.sourceEnd == 8)
        #expect(!queue.isStarved)
        _ = try queue.pop(timeout: { .zero }) { _ in
            #expect(queue.isStarved)
            queue.close()
        }
    }

    @Test("A queue whose audio is taken immediately counts as starved only after the duration of that audio")
    func takenAtOnce() throws {
        let now = Monitor(ContinuousClock.now)
        let queue = SoundQueue(lookAhead: .seconds(9)) { now.read { $0 } }
        _ = queue.begin(Self.mono)
        _ = queue.push(SoundQueue.Piece(samples: Array(repeating: 0, count: 4 * Self.mono.sampleRate), sourceEnd: 1))
        _ = try queue.pop(timeout: { .zero }) { _ in }
        _ = try queue.pop(timeout: { .zero }) { _ in
            #expect(!queue.isStarved)
            now.update { $0 += .seconds(3) }
            #expect(!queue.isStarved)
            now.update { $0 += .seconds(1) }
            #expect(queue.isStarved)
            queue.close()
        }
    }
}
