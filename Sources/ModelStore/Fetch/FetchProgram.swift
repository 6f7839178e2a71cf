import FoundationEssentials
import Glibc
import System

/// Works in a process of its own, `synthhost-fetch`, which is killed like any process when it hangs.
package struct FetchProgram: Fetcher {
    private let path: String
    private static let attempts = 3

    /// - Parameter path: of the program.
    package init(path: String) { self.path = path }

    package func run(
        _ job: FetchJob, lock: Int32, cancellation: Cancellation, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        var job = job
        for number in 1... {
            do throws(FetchFailure) {
                return try attempt(job, lock, cancellation, onEvent)
            } catch {
                guard error.isBreak, number < Self.attempts else { throw error }
                job = job.goingOn()
                onEvent(.retrying(error, seconds: 0))
            }
        }
    }

    private func attempt(
        _ job: FetchJob, _ lock: Int32, _ cancellation: Cancellation, _ onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        var child: ChildProcess
        do throws(FileFailure) {
            child = try ChildProcess(path, keeping: lock)
        } catch {
            throw .program(path: path, .notStarted(error.reason))
        }
        guard let line = try? JSONEncoder().encode(job), child.send(Array(line) + [0x0a]) else {
            throw .program(path: path, .endedBeforeItBegan)
        }
        var lines = LineBuffer()
        var limit = job.silence(after: 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            var waiting = [
                pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, limit)
            if cancellation.isCancelled { throw .cancelled }
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw .silent }
            guard waiting[0].revents != 0 else { continue }
            let count = read(child.output, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw child.end().map { .crashed(signal: $0) } ?? .died }
            for text in lines.add(buffer[..<count]) {
                guard let event = try? JSONDecoder().decode(FetchEvent.self, from: Data(text)) else {
                    throw .program(path: path, .notUnderstood)
                }
                switch event {
                case .done: return
                case .failed(let failure): throw failure
                case .retrying(_, let seconds): limit = job.silence(after: seconds)
                case .verifying: limit = -1
                default: limit = job.silence(after: 0)
                }
                onEvent(event)
            }
        }
    }
}

extension FetchJob {
    /// In milliseconds, as `poll` takes them. The program has its own timer for a server, this one is for when it hangs
    /// itself; a slow disk may take as long as it does.
    fileprivate func silence(after seconds: Double) -> Int32 {
        guard case .download(let job) = self else { return -1 }
        return Int32(clamping: (job.retries.stall * 2 + 15 + seconds) * 1000)
    }

    /// The same for a fresh program, after one that ended in the middle.
    fileprivate func goingOn() -> FetchJob {
        guard case .download(var job) = self else { return self }
        job.offset = min((try? SystemFiles().status(of: job.part))?.size ?? 0, job.size)
        job.tag = nil
        return .download(job)
    }
}

extension FetchFailure {
    /// Whether the program is to blame, and a fresh one may do better.
    fileprivate var isBreak: Bool {
        switch self {
        case .silent, .died, .crashed: true
        default: false
        }
    }
}
