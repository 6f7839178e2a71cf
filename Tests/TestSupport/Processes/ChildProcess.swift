import CSynthLinux
import Glibc
import SynthSystem

/// A program run by a test, with its own environment and streams. Use it on a single thread.
///
/// Its output is collected while a method of this class waits. The program is killed when this object is deallocated.
package final class ChildProcess {
    /// A standard stream of the program.
    package enum Stream {
        case null
        case pipe
        /// The stream is not open.
        case closed
        case descriptor(Int32)
        /// The process leads its own session, with this as its controlling terminal.
        case terminal(PseudoTerminal)
    }

    /// Thrown if the program exceeds a limit.
    package struct TimeOut: Error, CustomStringConvertible {
        package let description: String
    }

    package let identifier: Int32
    /// The output that has been read so far.
    package private(set) var output: [UInt8] = []
    package private(set) var errors: [UInt8] = []
    package private(set) var outputCount = 0
    /// Whether to keep the output. If not, it is only counted.
    package var keepsOutput = true

    private let ended: Descriptor
    private var inputPipe: Descriptor?
    private var outputPipe: Descriptor?
    private var errorPipe: Descriptor?
    private var waitStatus: Int32?
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    package init(
        _ program: String, arguments: [[UInt8]], environment: [String: String], input: Stream = .null,
        output: Stream = .pipe, errors: Stream = .pipe, ignoresBrokenPipes: Bool = false
    ) throws {
        let leadsSession = [input, output, errors].contains { if case .terminal = $0 { true } else { false } }
        var spawn = ChildSpawn(leadsSession: leadsSession, ignoresBrokenPipes: ignoresBrokenPipes)
        inputPipe = try spawn.attach(input, to: STDIN_FILENO)
        outputPipe = try spawn.attach(output, to: STDOUT_FILENO)
        errorPipe = try spawn.attach(errors, to: STDERR_FILENO)
        let process = try spawn.start(program, arguments: arguments, environment: environment)
        identifier = process
        ended = Descriptor(owning: try Errno.check { linux_pidfd_open(process) })
    }

    deinit {
        if waitStatus == nil {
            kill(identifier, SIGKILL)
            reap()
        }
        chunk.deallocate()
    }

    package func signal(_ signal: Int32) { kill(identifier, signal) }

    package var hasEnded: Bool { (try? Poll.wait([(ended.raw, events: POLLIN)], timeout: .zero))?.first ?? 0 != 0 }

    /// Writes to the program's input and collects its output. Closes the input if `last` is true.
    package func feed(_ bytes: [UInt8], last: Bool = false, within limit: Duration = .seconds(300)) throws {
        var written = 0
        try wait("taking its input", within: limit) { process in
            guard written < bytes.count, let pipe = process.inputPipe else { return true }
            // Only as much as fits is written, because output cannot be read during a blocked write.
            let room = (try? Poll.wait([(pipe.raw, events: POLLOUT)], timeout: .zero))?.first ?? 0
            guard room != 0 else { return false }
            let count: Int
            do throws(Errno) {
                count = try withoutBrokenPipeSignal { () throws(Errno) in
                    try Errno.check {
                        bytes.withUnsafeBytes { buffer in
                            write(
                                pipe.raw, buffer.baseAddress.map { $0 + written }, min(4096, buffer.count - written))
                        }
                    }
                }
            } catch {
                return error == .brokenPipe
            }
            written += count
            return written >= bytes.count
        }
        if last { inputPipe = nil }
    }

    package func closeInput() { inputPipe = nil }
    package func closeOutput() { outputPipe = nil }

    /// Waits until the process has written `count` bytes to its output.
    package func waitForOutput(count: Int, within limit: Duration = .seconds(300)) throws {
        try wait("\(count) bytes of output", within: limit) { $0.outputCount >= count }
    }

    /// Waits until the output contains a string.
    package func waitForText(_ text: String, within limit: Duration = .seconds(300)) throws {
        try wait(text, within: limit) { String(decoding: $0.output, as: UTF8.self).contains(text) }
    }

    /// Waits until the output on standard error contains a string.
    package func waitForErrors(_ text: String, within limit: Duration = .seconds(300)) throws {
        try wait(text, within: limit) { String(decoding: $0.errors, as: UTF8.self).contains(text) }
    }

    /// Waits until the process has exited and all output has been read.
    package func finish(within limit: Duration = .seconds(300)) throws -> ChildResult {
        try wait("its end", within: limit) { $0.hasEnded && $0.outputPipe == nil && $0.errorPipe == nil }
        reap()
        let status = waitStatus ?? 0
        let signal = status & 0x7F
        return ChildResult(
            code: signal == 0 ? status >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: output,
            errors: String(decoding: errors, as: UTF8.self))
    }

    /// Collects output until `isDone` returns true. `isDone` is called after each chunk of output and periodically.
    package func wait(
        _ what: String, within limit: Duration = .seconds(300), until isDone: (ChildProcess) -> Bool
    ) throws {
        let deadline = ContinuousClock.now + limit
        while !isDone(self) {
            guard ContinuousClock.now < deadline else {
                let said = String(decoding: errors.suffix(2000), as: UTF8.self)
                throw TimeOut(
                    description: "Waited \(limit) for \(what); it wrote \(outputCount) bytes and said: \(said)")
            }
            let isOpen = outputPipe != nil || errorPipe != nil
            let ready = try Poll.wait(
                [
                    (outputPipe?.raw ?? -1, events: POLLIN), (errorPipe?.raw ?? -1, events: POLLIN),
                    (inputPipe?.raw ?? -1, events: what == "taking its input" ? POLLOUT : 0),
                    (isOpen && hasEnded ? -1 : ended.raw, events: POLLIN),
                ], timeout: max(.zero, min(deadline - .now, .milliseconds(50))))
            if ready[0] != 0, let pipe = outputPipe {
                let count = try pipe.read(into: chunk)
                outputCount += count
                if keepsOutput { output.append(contentsOf: chunk[..<count]) }
                if count == 0 { outputPipe = nil }
            }
            if ready[1] != 0, let pipe = errorPipe {
                let count = try pipe.read(into: chunk)
                errors.append(contentsOf: chunk[..<count])
                if count == 0 { errorPipe = nil }
            }
            if ready[2] & Int32(POLLERR) != 0 { inputPipe = nil }
        }
    }

    private func reap() {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        waitStatus = status
    }
}
