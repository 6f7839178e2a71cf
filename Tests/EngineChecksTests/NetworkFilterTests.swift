import Foundation
import SynthSystem
import Testing
import TestSupport

@Suite("Confinement to certain network ports", .ownThreads)
struct NetworkFilterTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test("A confined process can use any UDP port but only its own TCP ports, and it cannot start programs")
    func attempts() throws {
        let engine = try FixtureEngine()
        let sources = ["linux_landlock", "linux_refused", "linux_watch"].map {
            "\(Self.root)/Sources/CSynthLinux/\($0).c"
        }
        let program = try engine.program("connects", ["-I", "\(Self.root)/Sources/CSynthLinux/include"] + sources)
        let (open, other) = (
            try LoopbackServer { _, _ in .init(status: 200) }, try LoopbackServer { _, _ in .init(status: 200) }
        )
        let run = try ChildProcess.run(
            program, try [open, other].map { String(try #require(URL(string: $0.base)?.port)) })
        #expect(run.code == 0, "\(run.errors)")
        var expected = [
            "open done", "other EACCES", "fast EPERM", "fast message EPERM", "fast messages EPERM", "udp done",
            "netlink EPERM", "netlink of IPsec EPERM", "bind EPERM", "multipath EPERM", "raw EPERM", "raw tcp EPERM",
            "local EPERM", "vsock EPERM",
            "pair done", "pair of datagrams EPERM",
        ]
        if Confinement.landlockVersion < 4 { expected.remove(at: 1) }
        #expect(run.text.split(separator: "\n").map(String.init) == expected)
        withExtendedLifetime((open, other)) {}
    }
}
