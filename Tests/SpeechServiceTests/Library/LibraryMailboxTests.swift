import SynthSystem
import Testing

@testable import SynthService

@Suite("An event client's mailbox")
struct LibraryMailboxTests {
    private func next(_ mailbox: LibraryMailbox) -> LibraryMailbox.Update { mailbox.next(before: .now) }

    @Test(
        "A mailbox starts with the list; later, it merges repeated changes to a voice and delivers them before the list"
    )
    func letters() {
        let mailbox = LibraryMailbox()
        mailbox.add(.init(voices: ["a"], isOfList: true))
        #expect(next(mailbox) == .list)
        #expect(next(mailbox) == .nothing)
        for _ in 0..<1000 { for key in ["b", "a", "b"] { mailbox.add(.init(voices: [key])) } }
        #expect(next(mailbox) == .voices(["b", "a"]))
        #expect(next(mailbox) == .nothing)
        mailbox.add(.init(voices: ["a"]))
        mailbox.add(.init(isOfList: true))
        mailbox.add(.init(voices: ["c"]))
        #expect(next(mailbox) == .voices(["a", "c"]))
        #expect(next(mailbox) == .list)
        #expect(next(mailbox) == .nothing)
    }

    @Test("When a mailbox is closed, a waiting reader is notified immediately, and later readers do not wait")
    func end() {
        let mailbox = LibraryMailbox()
        #expect(next(mailbox) == .list)
        let begin = ContinuousClock.now
        startThread("closer") { mailbox.close() }
        #expect(mailbox.next(before: .now + .seconds(1200)) == .end)
        mailbox.gather(for: .seconds(1200))
        #expect(ContinuousClock.now - begin < .seconds(600))
        mailbox.add(.init(isOfList: true))
        #expect(next(mailbox) == .end)
    }
}
