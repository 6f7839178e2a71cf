import Glibc
import SynthJSON
package import SynthSystem

/// Runs jobs in a separate process, `synthhost-fetch`, which is killed if it hangs.
package struct FetchProgram: Fetcher {
    private let path: String
    private static let attempts = 3
    private let environment: [String: String]?
    private let starter: ProgramStarter?

    /// - Parameters:
    ///   - path: the program's path.
    ///   - environment: the program's environment variables; nil to inherit the environment of this process.
    ///   - starter: starts the program; nil to start it from this process.
    package init(path: String, environment: [String: String]? = nil, starter: ProgramStarter? = nil) {
        self.path = path
        self.environment = environment
        self.starter = starter
    }

    package func run(
        _ job: FetchJob, lock: Int32, cancellation: CancellationSignal, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        var job = job
        for number in 1... {
            do {
                return try attempt(job, lock, cancellation, onEvent)
            } catch {
                guard error.isProgramFailure, number < Self.attempts else { throw error }
                job = job.resumed()
                onEvent(.retrying(error, seconds: 0))
            }
        }
    }

    private func attempt(
        _ job: FetchJob, _ lock: Int32, _ cancellation: CancellationSignal, _ onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        var child: ChildProcess
        do {
            child = try ChildProcess(path, environment, keeping: lock, by: starter)
        } catch {
            throw .program(path: path, .notStarted(error))
        }
        guard let node = try? JSONNode(encoding: job), child.send(Array((JSONWriter.line(of: node) + "\n").utf8)) else {
            throw .program(path: path, .endedBeforeItBegan)
        }
        var lines = LineBuffer()
        var limit = job.silence(after: 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let waiting = [(child.output.raw, events: POLLIN), (cancellation.descriptor, events: POLLIN)]
            let ready = (try? Poll.wait(waiting, timeout: limit)) ?? []
            if cancellation.isCancelled { throw .cancelled }
            guard ready.contains(where: { $0 != 0 }) else { throw .silent }
            guard ready[0] != 0 else { continue }
            guard let count = try? child.output.read(into: buffer), count > 0 else {
                throw child.end().map { .crashed(signal: $0) } ?? .died
            }
            let texts = lines.add(buffer[..<count])
            if lines.isOverfull { throw .program(path: path, .notUnderstood) }
            for text in texts {
                guard let event = try? JSONReader.read(text).decode(FetchEvent.self) else {
                    throw .program(path: path, .notUnderstood)
                }
                switch event {
                case .done: return
                case .failed(let failure): throw failure
                case .retrying(_, let seconds): limit = job.silence(after: seconds)
                case .verifying: limit = nil
                default: limit = job.silence(after: 0)
                }
                onEvent(event)
            }
        }
    }
}

extension FetchJob {
    /// The maximum time between two reports from the program; nil for no limit. The program itself enforces server
    /// timeouts; this limit detects a hung program. Jobs other than downloads have no limit, because a disk may be
    /// slow.
    fileprivate func silence(after seconds: Double) -> Duration? {
        guard case .download(let job) = self else { return nil }
        return .seconds(job.retries.stall * 2 + 15 + seconds)
    }

    /// The job to run in a new process after the previous process exited early.
    fileprivate func resumed() -> FetchJob {
        guard case .download(var job) = self else { return self }
        job.offset = min((try? SystemFiles().status(of: job.part))?.size ?? 0, job.size)
        job.tag = nil
        return .download(job)
    }
}

extension FetchFailure {
    /// Whether the program itself failed, in which case a new process may succeed.
    fileprivate var isProgramFailure: Bool {
        switch self {
        case .silent, .died, .crashed: true
        default: false
        }
    }
}

/// A child process with pipes for stdin and stdout. It is killed when this value is destroyed.
struct ChildProcess: ~Copyable {
    let output: Descriptor
    private let input: Descriptor
    private var program: RunningProgram

    /// - Parameters:
    ///   - environment: nil to inherit the variables of this process.
    ///   - kept: a descriptor that becomes descriptor 3 of the child; -1 for none.
    init(
        _ program: String, _ environment: [String: String]?, keeping kept: Int32, by starter: ProgramStarter?
    ) throws(Errno) {
        let toChild = try Descriptor.pipe()
        let fromChild = try Descriptor.pipe()
        var spawn = Spawn(group: .own)
        try spawn.pass(toChild.reading.raw, as: STDIN_FILENO)
        try spawn.pass(fromChild.writing.raw, as: STDOUT_FILENO)
        // The program reports errors on stdout. The output of its libraries to stderr is discarded.
        try spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        if kept >= 0 { try spawn.pass(kept, as: 3) }
        self.program = try RunningProgram(spawn.start(program, environment: environment, by: starter))
        input = toChild.writing
        output = fromChild.reading
    }

    /// Waits up to a minute for a child that has closed its output, because it may not exit immediately on a busy
    /// machine.
    ///
    /// - Returns: the signal that terminated the child, or nil if no signal did.
    mutating func end() -> Int32? {
        program.wait(within: .seconds(60)).flatMap { $0.signal == 0 ? nil : $0.signal }
    }

    /// Sends one line. Returns false if the child has exited.
    func send(_ line: [UInt8]) -> Bool {
        (try? withoutBrokenPipeSignal { () throws(Errno) in try input.writeAll(line) }) != nil
    }
}

struct LineBuffer {
    private var rest: [UInt8] = []

    /// The maximum line length in bytes; all valid lines are shorter.
    private static let longestLine = 1 << 20

    var isOverfull: Bool { rest.count > Self.longestLine }

    /// Adds bytes and returns the lines that are now complete, without line feeds.
    mutating func add(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> [[UInt8]] {
        rest += bytes
        var lines = rest.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        rest = lines.removeLast()
        return lines
    }
}
