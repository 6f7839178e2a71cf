import Dispatch
import Synchronization
import SynthInference
import Testing
import TestSupport

@Suite("Worker threads")
struct WorkThreadTests {
    private final class Note: Sendable {
        let isFree = Mutex(false)
    }

    /// Sets a flag when it is freed.
    private final class Held: Sendable {
        private let note: Note

        init(_ note: Note) { self.note = note }

        deinit { note.isFree.withLock { $0 = true } }
    }

    @Test("A thread no longer holds any references after it has been joined")
    func released() {
        for _ in 0..<2000 {
            let note = Note()
            let group = DispatchGroup()
            do {
                let held = Held(note)
                let isStarted = WorkThread.start(in: group) { withExtendedLifetime(held) {} }
                #expect(isStarted)
            }
            group.wait()
            #expect(note.isFree.withLock { $0 })
        }
    }
}
