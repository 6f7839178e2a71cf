import Glibc
import SynthSystem
import Testing

@testable import SynthModelStore

@Suite("Entry locks") struct StoreLockTests {
    private func take(_ folder: TemporaryFolder) throws -> StoreLock? {
        guard case .taken(let lock) = try StoreLock.take(folder.path + "/a", waiting: false, SystemFiles()) else {
            return nil
        }
        return lock
    }

    /// Copies the lock's descriptor. A process that is being started also holds a copy until it calls `exec`.
    private func copy(of lock: StoreLock) throws -> Int32 {
        let copy = dup(lock.descriptor)
        try #require(copy >= 0)
        return copy
    }

    @Test("A lock that has been released is free even if copies of its file descriptor remain open")
    func copied() throws {
        let folder = try TemporaryFolder()
        let first = try copy(of: try #require(try take(folder)))
        defer { close(first) }
        let second = try #require(try take(folder))
        #expect(try take(folder) == nil)
        #expect(StoreLock.isHeld(folder.path + "/a", SystemFiles()))
        withExtendedLifetime(second) {}
    }
}
