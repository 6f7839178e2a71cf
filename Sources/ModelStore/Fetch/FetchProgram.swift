import FoundationEssentials
import Glibc
import System

/// Downloads in a process of its own, `synthhost-fetch`, which is killed like any process when it hangs.
package struct FetchProgram: Fetcher {
    private let path: String

    /// - Parameter path: of the program.
    package init(path: String) { self.path = path }

    package func fetch(
        _ job: FetchJob, lock: Int32, cancellation: Cancellation, onEvent: (FetchEvent) -> Void
    ) throws(FetchFailure) {
        var job = job
        var breaks = 0
        while true {
            do {
                return try attempt(job, lock, cancellation, onEvent)
            } catch  where error.isBreak {
                breaks += 1
                guard breaks < 3 else { throw error }
                job.offset = partSize(job)
                job.tag = nil
                onEvent(.retrying(reason: error.reason, seconds: 0))
            } catch {
                throw error
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
            throw FetchFailure(.program, "\(path) could not be started: \(error.reason)")
        }
        guard let line = try? JSONEncoder().encode(job), child.send(Array(line) + [0x0a]) else {
            throw FetchFailure(.program, "\(path) ended before it began")
        }
        var lines = LineBuffer()
        var patience = FetchProgram.patience(of: job, after: 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            var waiting = [
                pollfd(fd: child.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: cancellation.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, patience)
            if cancellation.isCancelled { throw FetchFailure(.cancelled, "stopped") }
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw FetchFailure.silence }
            guard waiting[0].revents != 0 else { continue }
            let count = read(child.output, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw child.end().map(FetchFailure.crash) ?? .death }
            for text in lines.add(buffer[..<count]) {
                guard let event = try? JSONDecoder().decode(FetchEvent.self, from: Data(text)) else {
                    throw FetchFailure(.program, "\(path) said something that is not understood")
                }
                switch event {
                case .done: return
                case .failed(let failure): throw failure
                case .retrying(_, let seconds): patience = FetchProgram.patience(of: job, after: seconds)
                default: patience = FetchProgram.patience(of: job, after: 0)
                }
                onEvent(event)
            }
        }
    }

    /// In milliseconds: the program has its own timer, this one is for when it hangs itself.
    private static func patience(of job: FetchJob, after seconds: Double) -> Int32 {
        Int32(clamping: (job.patience.stall * 2 + 15 + seconds) * 1000)
    }

    private func partSize(_ job: FetchJob) -> Int64 {
        let status = try? SystemFiles().status(of: job.part)
        return min(status?.size ?? 0, job.size)
    }
}

extension FetchFailure {
    /// The program said nothing for longer than it ever should.
    fileprivate static let silence = FetchFailure(.network, "nothing arrived")
    fileprivate static let death = FetchFailure(.program, "synthhost-fetch ended in the middle")
    fileprivate static func crash(signal: Int32) -> FetchFailure {
        let name = strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
        return FetchFailure(.crash, "the program that downloads, synthhost-fetch, crashed again and again (\(name))")
    }
    /// Whether the program is to blame, and a fresh one may do better.
    fileprivate var isBreak: Bool { self == .silence || self == .death || kind == .crash }
}
