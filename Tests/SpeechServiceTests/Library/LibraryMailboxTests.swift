import SynthSystem
import Testing

@testable import SynthService

@Suite("The mailbox of a client")
struct LibraryMailboxTests {
    private func next(_ mailbox: LibraryMailbox) -> LibraryMailbox.Letter { mailbox.next(before: .now) }

    @Test("begins with the list, and then has each voice once, however often it changes, and the list after them")
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

    @Test("ends at once for who waits, and for who has more to read")
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
