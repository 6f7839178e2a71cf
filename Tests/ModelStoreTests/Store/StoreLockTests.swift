import Glibc
import System
import Testing

@testable import ModelStore

@Suite("The lock of an entry") struct StoreLockTests {
    private func take(_ folder: TemporaryFolder) throws -> StoreLock? {
        guard case .taken(let lock) = try StoreLock.take(folder.path + "/a", waiting: false, SystemFiles()) else {
            return nil
        }
        return lock
    }

    /// A program that is being started has such a copy until it begins.
    private func copy(of lock: StoreLock) throws -> Int32 {
        let copy = dup(lock.descriptor)
        try #require(copy >= 0)
        return copy
    }

    @Test("is free once it was let go, whoever has a copy of its descriptor") func copied() throws {
        let folder = try TemporaryFolder()
        let first = try copy(of: try #require(try take(folder)))
        defer { close(first) }
        let second = try #require(try take(folder))
        #expect(try take(folder) == nil)
        #expect(StoreLock.isHeld(folder.path + "/a", SystemFiles()))
        withExtendedLifetime(second) {}
    }
}

@Suite("The states of a download") struct LiveStatesTests {
    /// The first of a voice's states, if the disk is read while something else is told.
    private func first(whileTelling state: DownloadState, of voice: String) async -> DownloadState? {
        let live = LiveStates()
        let states = live.states(of: "a") {
            live.publish(state, of: voice)
            return .notDownloaded(because: nil)
        }
        var iterator = states.makeAsyncIterator()
        return await iterator.next(isolation: nil)
    }

    @Test("begin with what was told last, and with what is on the disk if only others were told of") func newest() async
    {
        #expect(await first(whileTelling: .ready, of: "a") == .ready)
        #expect(await first(whileTelling: .verifying, of: "a") == .verifying)
        #expect(await first(whileTelling: .ready, of: "b") == .notDownloaded(because: nil))
    }
}
