import CommandSupport
import Glibc
import SynthSystem
import Testing
import TestSupport

@Suite("A service that starts no program itself", .ownThreads)
struct ServeStarterTests {
    private static func serve(_ home: UserHome) throws -> (ChildProcess, starter: Int32) {
        let process = try home.start(["serve", "--http", "127.0.0.1:0"])
        try process.waitForErrors("#token=")
        return (process, try #require(ProcessTable.children(of: process.identifier).first))
    }

    private static func status(of process: Int32) throws -> String {
        String(decoding: try readWholeFile("/proc/\(process)/status", limit: 1 << 16), as: UTF8.self)
    }

    @Test("may start none, before anybody can ask for anything; its starter may")
    func filter() throws {
        let (service, starter) = try Self.serve(try UserHome())
        #expect(ProcessTable.command(of: starter).contains("synthhost-worker"))
        // Each thread keeps to it.
        for thread in FolderListing.names(in: "/proc/\(service.identifier)/task") {
            // It may have ended.
            guard
                let bytes = try? readWholeFile("/proc/\(service.identifier)/task/\(thread)/status", limit: 1 << 16)
            else { continue }
            let status = String(decoding: bytes, as: UTF8.self)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
        }
        // One for programs, and one for sockets.
        let own = try Self.status(of: service.identifier)
        if own.contains("Seccomp_filters:") { #expect(own.contains("Seccomp_filters:\t2\n")) }
        #expect(try Self.status(of: starter).contains("Seccomp:\t0\n"))
        service.signal(SIGTERM)
        #expect(try service.finish().code == 0)
        #expect(ProcessTable.waitForEnd(of: starter))
    }

    @Test("ends, and says why, once its starter has ended")
    func helpless() throws {
        let (service, starter) = try Self.serve(try UserHome())
        kill(starter, SIGKILL)
        let result = try service.finish()
        #expect(result.code == 1)
        #expect(result.errors.contains("The process that starts engines for this service has ended"))
    }

    @Test("leaves no starter behind when it is killed")
    func killed() throws {
        let (service, starter) = try Self.serve(try UserHome())
        service.signal(SIGKILL)
        _ = try service.finish()
        #expect(ProcessTable.waitForEnd(of: starter))
    }
}
