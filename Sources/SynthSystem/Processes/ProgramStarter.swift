import CSynthLinux
import Glibc

/// Starts programs on behalf of a process that has given up its permission to start them. A small helper process
/// (`synthhost-worker start …`), launched earlier, starts them instead. The programs are still children of this process
/// and end with it. Thread-safe.
package final class ProgramStarter: Sendable {
    private let socket: Descriptor
    /// Serializes starts, because each start sends its descriptors one by one.
    private let turn = Lock()
    /// The number of the latest start request. The reply contains the same number.
    private let latest = Monitor<UInt32>(0)

    /// The helper process's reply to a start request.
    private struct Answer {
        var number: UInt32 = 0
        var process: Int32 = 0
        var failure: Int32 = 0
    }

    /// Starts the helper process, which ends when this object is freed or this process ends.
    ///
    /// - Parameters:
    ///   - program: the program that calls `ProgramStarter.serve`.
    ///   - environment: the environment for the helper process and the programs that it starts.
    package init(_ program: String, arguments: [String], environment: [String: String]) throws(Errno) {
        let (ours, theirs) = try Descriptor.socketPair()
        var spawn = Spawn(group: .own)
        for (number, flags) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            try spawn.open("/dev/null", flags, as: number)
        }
        try spawn.pass(theirs.raw, as: 3)
        spawn.work(in: "/")
        _ = try spawn.start(program, arguments: arguments.map { Array($0.utf8) }, environment: environment)
        socket = ours
    }

    /// Permanently prevents this process from starting programs itself, and prevents the user's other processes from
    /// inspecting it. Does nothing on a kernel without system call filters.
    package static func giveUpPrograms() {
        _ = linux_give_up(LINUX_PROGRAMS.rawValue)
        linux_keep_private()
    }

    /// Permanently prevents this process from opening sockets other than socket pairs.
    package static func giveUpSockets() { _ = linux_give_up(LINUX_SOCKETS.rawValue) }

    /// Calls the body on a separate thread once the helper process has ended. After that, no program can be started.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) {
        startThread("starter") { [socket] in
            // `poll` reports a hang-up even if no events are requested.
            while let ready = try? Poll.wait([(socket.raw, events: 0)], timeout: nil) {
                if ready[0] != 0 { return body() }
            }
        }
    }

    /// - Parameter descriptors: the descriptors to pass, each with the number that it gets in the program.
    /// - Returns: the process ID of the program, which this process must reap.
    /// - Throws: the error that prevented the start; `brokenPipe` if the helper process has ended.
    func start(_ start: ProgramStart, _ descriptors: [(Descriptor, as: Int32)]) throws(Errno) -> Int32 {
        try turn.withLock { () throws(Errno) in
            let number = latest.update { latest in
                latest &+= 1
                return latest
            }
            // This message makes the helper process discard descriptors left over from a failed start.
            try send([Self.beginning] + withUnsafeBytes(of: number) { Array($0) }, passing: -1)
            for (descriptor, number) in descriptors {
                try send([UInt8(clamping: number)], passing: descriptor.raw)
            }
            try send([Self.endOfDescriptors] + start.bytes, passing: -1)
            while true {
                let answer = try receive()
                let isEarlier = answer.number != number
                if !isEarlier, answer.failure == 0 { return answer.process }
                if answer.process > 0 {
                    // The caller of an earlier start received an error instead of this reply, so the program must not
                    // keep running.
                    if isEarlier { kill(-answer.process, SIGKILL) }
                    var status: Int32 = 0
                    _ = try? Errno.check { waitpid(answer.process, &status, 0) }
                }
                if !isEarlier { throw Errno(answer.failure) }
            }
        }
    }

    private func receive() throws(Errno) -> Answer {
        var answer = Answer()
        var (passed, isTruncated): (Int32, Bool) = (-1, false)
        let count = try Errno.check {
            withUnsafeMutableBytes(of: &answer) {
                linux_receive(socket.raw, $0.baseAddress, $0.count, &passed, &isTruncated, true)
            }
        }
        guard count == MemoryLayout<Answer>.size else { throw .brokenPipe }
        return answer
    }

    private func send(_ bytes: [UInt8], passing descriptor: Int32) throws(Errno) {
        try Errno.check { linux_send(socket.raw, bytes, bytes.count, descriptor, true) }
    }

    private static let beginning: UInt8 = 0xFE
    private static let endOfDescriptors: UInt8 = 0xFF
    private static let longestMessage = 1 << 20

    /// Runs the helper process's loop in its only thread. Returns when the peer has closed the socket.
    ///
    /// - Parameters:
    ///   - number: the descriptor number of the helper process's socket.
    ///   - admit: returns the request, changed if necessary, or nil to reject it.
    package static func serve(on number: Int32, _ admit: (ProgramStart) -> ProgramStart?) {
        let socket = Descriptor(owning: number)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: longestMessage, alignment: 16)
        defer { buffer.deallocate() }
        var descriptors: [(Descriptor, as: Int32)] = []
        var answer = Answer()
        while true {
            var (passed, isTruncated): (Int32, Bool) = (-1, false)
            let count = linux_receive(socket.raw, buffer.baseAddress, buffer.count, &passed, &isTruncated, true)
            guard count > 0 else { return }
            let message = buffer[..<count]
            if passed >= 0 {
                let descriptor = Descriptor(owning: passed)
                // Move the descriptor to a number that is higher than any number that a program can receive.
                guard let raised = try? descriptor.raised(to: lowestCopy), buffer[0] < lowestCopy else { return }
                descriptors.append((raised, as: Int32(buffer[0])))
                continue
            }
            if message.first == beginning, message.count == 1 + MemoryLayout<UInt32>.size {
                answer.number = message.loadUnaligned(fromByteOffset: 1, as: UInt32.self)
                descriptors = []
                continue
            }
            (answer.process, answer.failure) = (0, EPERM)
            if !isTruncated, let asked = ProgramStart(bytes: Array(message.dropFirst())[...]), let start = admit(asked)
            {
                answer.process = run(start, descriptors, &answer.failure)
            }
            descriptors = []
            let sent = withUnsafeBytes(of: &answer) { linux_send(socket.raw, $0.baseAddress, $0.count, -1, true) }
            guard sent > 0 else { return }
        }
    }

    private static let lowestCopy: Int32 = 10

    private static func run(
        _ start: ProgramStart, _ descriptors: [(Descriptor, as: Int32)], _ failure: inout Int32
    ) -> Int32 {
        let names = Set(start.variables.map { Array($0.utf8)[...] })
        let entries = ProcessEnvironment().entries.filter { names.contains($0.prefix { $0 != UInt8(ascii: "=") }) }
        let program = StartedProgram(
            start.program, start.arguments, variables: entries, folder: start.folder, descriptors,
            ignoresBrokenPipes: start.ignoresBrokenPipes)
        let process: Int32
        (process, failure) = program.start(for: getppid())
        return process
    }
}

extension ProgramStarter: Equatable {
    package static func == (one: ProgramStarter, other: ProgramStarter) -> Bool { one === other }
}
