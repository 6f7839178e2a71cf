import CommandSupport
import Glibc
import SynthSystem
import Testing
import TestSupport

@Suite("A service with a starter process for all programs", .ownThreads)
struct ServeStarterTests {
    private static func serve(_ home: UserHome) throws -> (ChildProcess, starter: Int32) {
        let process = try home.start(["serve", "--http", "127.0.0.1:0"])
        try process.waitForErrors("#token=")
        return (process, try #require(ProcessTable.children(of: process.identifier).first))
    }

    private static func status(of process: Int32) throws -> String {
        String(decoding: try readWholeFile("/proc/\(process)/status", limit: 1 << 16), as: UTF8.self)
    }

    @Test("Once the service is accepting requests, only its starter can start programs")
    func filter() throws {
        let (service, starter) = try Self.serve(try UserHome())
        #expect(ProcessTable.command(of: starter).contains("synthhost-worker"))
        // The restriction applies per thread.
        for thread in FolderListing.names(in: "/proc/\(service.identifier)/task") {
            // The thread may have exited by now.
            guard
                let bytes = try? readWholeFile("/proc/\(service.identifier)/task/\(thread)/status", limit: 1 << 16)
            else { continue }
            let status = String(decoding: bytes, as: UTF8.self)
            #expect(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"))
        }
        // There is one filter for programs and one for sockets.
        let own = try Self.status(of: service.identifier)
        if own.contains("Seccomp_filters:") { #expect(own.contains("Seccomp_filters:\t2\n")) }
        #expect(try Self.status(of: starter).contains("Seccomp:\t0\n"))
        service.signal(SIGTERM)
        #expect(try service.finish().code == 0)
        #expect(ProcessTable.waitForEnd(of: starter))
    }

    @Test("If the starter exits, so does the service, and the reason is reported")
    func helpless() throws {
        let (service, starter) = try Self.serve(try UserHome())
        kill(starter, SIGKILL)
        let result = try service.finish()
        #expect(result.code == 1)
        #expect(result.errors.contains("The process that starts the engines has exited"))
    }

    @Test("A killed service leaves no starter running")
    func killed() throws {
        let (service, starter) = try Self.serve(try UserHome())
        service.signal(SIGKILL)
        _ = try service.finish()
        #expect(ProcessTable.waitForEnd(of: starter))
    }
}
