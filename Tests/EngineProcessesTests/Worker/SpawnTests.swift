import Glibc
import SynthSystem
import Testing
import TestSupport

@Suite("Starting programs", .ownThreads)
struct SpawnTests {
    private static func parent(of process: Int32) -> Int32? {
        ProcessStat.fields(in: "/proc/\(process)")?.dropFirst().first.flatMap { Int32($0) }
    }

    @Test("A program outlives the thread that started it and inherits no other descriptors")
    func threads() throws {
        // This descriptor is not close-on-exec, because `dup` clears that flag.
        let stray = dup(STDIN_FILENO)
        defer { close(stray) }
        let (toChild, fromChild) = (try Descriptor.pipe(), try Descriptor.pipe())
        let started = Monitor<(process: Int32, thread: Int32)?>(nil)
        startThread("brief") {
            var spawn = Spawn(group: .own)
            try? spawn.pass(toChild.reading.raw, as: STDIN_FILENO)
            try? spawn.pass(fromChild.writing.raw, as: STDOUT_FILENO)
            let process = (try? spawn.start("/bin/cat")) ?? 0
            // The link has the form "4711/task/4712".
            let thread = LinkTarget.of("/proc/thread-self").flatMap { Int32($0.split(separator: "/").last ?? "") }
            started.update { $0 = (process, thread ?? 0) }
        }
        let (process, thread) = try #require(started.wait { $0 })
        #expect(process > 0 && Self.parent(of: process) == getpid())
        // When a thread exits, the kernel sends parent-death signals to its child processes before it removes the
        // thread's entry.
        let end = ContinuousClock.now + .seconds(60)
        while access("/proc/self/task/\(thread)", F_OK) == 0, ContinuousClock.now < end { usleep(1000) }
        #expect(access("/proc/self/task/\(thread)", F_OK) != 0)
        try toChild.writing.writeAll(Array("alive".utf8))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try Poll.wait([(fromChild.reading.raw, events: POLLIN)], timeout: .seconds(60)) != [0])
        let count = try fromChild.reading.read(into: buffer)
        #expect(Array(buffer[..<count]) == Array("alive".utf8))
        #expect(FolderListing.names(in: "/proc/\(process)/fd").sorted() == ["0", "1", "2"])
        kill(process, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(process, &status, 0) == process)
    }

    @Test("A program gets the given environment, working directory and process group, and default signal handlers")
    func inheritance() throws {
        let output = try Descriptor.pipe()
        var spawn = Spawn(group: .own, ignoresBrokenPipes: true)
        try spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
        try spawn.pass(output.writing.raw, as: STDOUT_FILENO)
        spawn.close(STDERR_FILENO)
        spawn.work(in: "/usr")
        let line = "echo $A; pwd; exec sed -n 's/Sig[BI][lg][kn]:.//p' /proc/self/status"
        let process = try spawn.start(
            "/bin/sh", arguments: ["-c", line].map { Array($0.utf8) },
            environment: ["A": "b c", "PATH": "/usr/bin:/bin"])
        #expect(getpgid(process) == process)
        var status: Int32 = 0
        #expect(waitpid(process, &status, 0) == process)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        let count = try output.reading.read(into: buffer)
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        #expect(lines.prefix(3) == ["b c", "/usr", "0000000000000000"], "\(lines)")
        // The C library itself uses signals 32 and 33.
        let ignored = try #require(lines.last.flatMap { UInt64($0, radix: 16) })
        #expect(ignored & ~(3 << 31) == 1 << UInt64(SIGPIPE - 1), "\(lines)")
    }

    @Test("A missing or non-executable program causes an error")
    func missing() throws {
        #expect(throws: Errno.notFound) { try Spawn().start("/nowhere/at/all") }
        #expect(throws: Errno.noAccess) { try Spawn().start("/etc/passwd") }
        #expect(throws: Errno.notFound) {
            var spawn = Spawn()
            spawn.work(in: "/nowhere/at/all")
            _ = try spawn.start("/bin/true")
        }
    }
}
