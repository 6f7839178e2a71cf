import EngineLoading
import EngineWire
import Glibc
import LinuxSystem

/// Reads the control socket on the main thread, and calls nothing of the engine there but `cancel`: a cancel must not
/// wait behind a load that takes seconds. Everything else runs in order on a thread of its own.
struct ControlLoop {
    private let table: EngineTable
    private let lanes = Monitor<[UInt32: Lane]>([:])
    private let work = Monitor<[Work]>([])

    private struct Work: Sendable {
        var request: ControlRequest
        var socket: FrameSocket?
    }

    init(table: EngineTable) { self.table = table }

    /// Returns when the host is gone, or says what cannot be understood.
    func run() {
        let (work, worker) = (work, EngineWork(table: table, lanes: lanes))
        guard
            startThread(
                "engine-work",
                {
                    while let next = work.wait(until: { $0.isEmpty ? nil : $0.removeFirst() }) {
                        worker.run(next.request, lane: next.socket)
                    }
                })
        else { return }
        while let (bytes, passed) = try? Control.socket.receive() {
            guard let request = try? ControlRequest(frameBytes: bytes[...]) else { return }
            if case .cancel(let lane, let serial) = request {
                lanes.read { $0[lane] }?.cancel(serial)
            } else {
                let socket = passed.map { FrameSocket($0) }
                work.update { $0.append(Work(request: request, socket: socket)) }
            }
        }
    }
}
