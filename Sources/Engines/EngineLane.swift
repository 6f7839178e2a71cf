import EngineWire
import Glibc
import LinuxSystem
import Synchronization

/// One caller that speaks on an engine. Requests run one after the other; `cancel` may come from any thread.
package final class EngineLane: Sendable {
    private let engine: String
    private let worker: WorkerProcess
    private let number: UInt32
    private let limits: EngineLimits
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let onClose: @Sendable () -> Void

    private struct State {
        var serial: UInt64 = 0
        var cancelled: UInt64 = 0
        var cancelledAt: ContinuousClock.Instant?
    }
    private let state = Mutex(State())

    init(
        engine: String, worker: WorkerProcess, number: UInt32, socket: FrameSocket, limits: EngineLimits,
        onClose: @escaping @Sendable () -> Void
    ) throws(Errno) {
        self.engine = engine
        self.worker = worker
        self.number = number
        self.socket = socket
        self.limits = limits
        self.onClose = onClose
        wakeUp = try WakeUp()
    }

    deinit { onClose() }

    /// False once the worker is gone; a new lane gets a new one.
    package var isAlive: Bool { !worker.hasEnded }

    /// Ends the running request, and nothing that is asked later. Returns at once.
    package func cancel() {
        let serial = state.withLock { state in
            state.cancelled = state.serial
            if state.cancelledAt == nil { state.cancelledAt = .now }
            return state.serial
        }
        worker.cancel(lane: number, serial: serial)
        wakeUp.signal()
    }

    /// Speaks one utterance and hands over its parts as they come, on this thread, which may block in `part` to hold
    /// the engine back; false = stop. Returns whether it was spoken to its end.
    package func speak(_ request: EngineRequest, _ part: (SpeechPart) -> Bool) throws(EngineFailure) -> Bool {
        let serial = state.withLock { state in
            state.serial += 1
            state.cancelledAt = nil
            return state.serial
        }
        wakeUp.clear()
        // Where the worker is gone, reading says so, with the reason.
        try? socket.send(request.frame(serial: serial).frameBytes)

        var frames: UInt64 = 0
        var channels: UInt64 = 0
        while true {
            switch try next(serial) {
            case .begin(_, let rate, let count):
                guard channels == 0, (1...2).contains(count), rate > 0 else { throw garbled() }
                channels = UInt64(count)
                hand(.begin(sampleRate: Int(rate), channels: Int(count)), part)
            case .audio(_, let samples):
                guard channels > 0, samples.count.isMultiple(of: Int(channels)) else { throw garbled() }
                frames += UInt64(samples.count) / channels
                hand(.audio(samples), part)
            case .event(_, let event):
                hand(.event(event), part)
            case .end(_, let frameCount, let outcome):
                switch outcome {
                case .spoken where frameCount == frames: return !isCancelled(serial)
                case .spoken: throw garbled()
                case .cancelled: return false
                case .failed(let complaint): throw failure(.complained(complaint))
                }
            }
        }
    }

    private func isCancelled(_ serial: UInt64) -> Bool { state.withLock { $0.cancelled >= serial } }

    /// After a cancel the queue is only emptied.
    private func hand(_ piece: SpeechPart, _ part: (SpeechPart) -> Bool) {
        let isWanted = state.withLock { $0.cancelled < $0.serial }
        if isWanted, !part(piece) { cancel() }
    }

    /// The next reply that belongs to the request. What is left of an earlier one is dropped.
    private func next(_ serial: UInt64) throws(EngineFailure) -> LaneReply {
        while true {
            try waitForReply()
            let received: (bytes: [UInt8], passed: Descriptor?)?
            do {
                received = try socket.receive(wait: false)
            } catch {
                if error.code == EAGAIN { continue }
                throw garbled()
            }
            guard let received else {
                // An engine that had to be ended because it did not stop has stopped.
                if isCancelled(serial) { return .end(serial: serial, frameCount: 0, .cancelled) }
                throw failure(worker.exitReason(.speaking))
            }
            guard let reply = try? LaneReply(frameBytes: received.bytes[...]), reply.serial <= serial else {
                throw garbled()
            }
            if reply.serial == serial { return reply }
        }
    }

    /// The watchdog: waits until there is something to read, and ends an engine that keeps silent for too long, or does
    /// not stop when it is told to.
    private func waitForReply() throws(EngineFailure) {
        let start = ContinuousClock.now
        var idleSince = start
        var used = Duration.zero
        var isTerminated = false
        while true {
            let now = ContinuousClock.now
            var deadline = min(start + limits.audio, idleSince + limits.idle)
            if let cancelledAt = state.withLock({ $0.cancelledAt }) {
                deadline = cancelledAt + limits.cancelGrace
                if isTerminated { deadline += limits.killGrace }
            }
            let ready = try? Poll.wait(
                [(socket.descriptor.raw, events: POLLIN), (wakeUp.descriptor.raw, events: POLLIN)],
                timeout: max(.zero, deadline - now))
            if let ready, ready[0] != 0 { return }
            if let ready, ready[1] != 0 {
                wakeUp.clear()
                continue
            }
            if state.withLock({ $0.cancelledAt }) != nil {
                isTerminated ? worker.kill() : worker.terminate()
                isTerminated = true
            } else if ContinuousClock.now >= start + limits.audio {
                worker.kill()
                throw failure(.hung(limits.audio, .speaking))
            } else if let time = worker.processorTime, time > used {
                // It computes: that is slow, not idle.
                used = time
                idleSince = .now
            } else if ContinuousClock.now >= idleSince + limits.idle {
                worker.kill()
                throw failure(.hung(limits.idle, .speaking))
            }
        }
    }

    private func garbled() -> EngineFailure {
        worker.condemn()
        return failure(.garbled(.speaking))
    }

    private func failure(_ reason: EngineFailure.Reason) -> EngineFailure {
        EngineFailure(engine: engine, reason: reason, log: worker.log)
    }
}
