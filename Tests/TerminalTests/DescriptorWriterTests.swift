import Glibc
import SynthSystem
import SynthTerminal
import Testing

@Suite struct DescriptorWriterTests {
    @Test("Text that is larger than a non-blocking pipe's buffer arrives in full")
    func writesAll() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        #expect(fcntl(output, F_SETFL, O_NONBLOCK) == 0)
        let text = String(repeating: "0123456789", count: 100_000)
        let received = Monitor<Int?>(nil)
        // A task that blocks would keep other tasks from running.
        startThread("reader") {
            var buffer = [UInt8](repeating: 0, count: 10_000)
            var sum = 0
            while true {
                let count = read(input, &buffer, buffer.count)
                if count <= 0 { break }
                sum += count
            }
            received.update { $0 = sum }
        }
        #expect(throws: Never.self) { try DescriptorWriter(descriptor: output).write(text) }
        // The pipe is closed even after a failure, because the reader waits for the end of the file.
        close(output)
        #expect(received.wait { $0 } == text.utf8.count)
        close(input)
    }

    @Test("A full disk is reported with the system's error code")
    func fullDisk() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(throws: TerminalError.failed(code: ENOSPC)) { try DescriptorWriter(descriptor: full).write("x") }
    }

    @Test("A pipe that its reader has closed is distinguished from other failures")
    func brokenPipe() throws {
        // The default action would end the test process, and if the signal were ignored, processes that other tests
        // start would inherit that. The signal is sent to the writing thread, so blocking it in that thread is
        // sufficient.
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGPIPE)
        #expect(pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0)
        defer {
            var none = timespec()
            sigtimedwait(&blocked, nil, &none)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        // A process that another test has just started may have copies of both ends, so closing one is not enough.
        #expect(shutdown(ends[1], Int32(SHUT_WR)) == 0)
        let writer = DescriptorWriter(descriptor: ends[1])
        #expect(throws: TerminalError.brokenPipe) { try writer.write("x") }
    }
}
