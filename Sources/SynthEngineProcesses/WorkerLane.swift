import Glibc
import SynthEngineWire
package import SynthSystem

/// A worker's lane: its socket, the current request, and the wait for replies. The lane does not interpret the contents
/// of messages. Requests run one after another. `cancel` can be called from any thread.
package final class WorkerLane: Sendable {
    private let worker: WorkerProcess
    private let number: UInt32
    private let limits: EngineLimits
    private let activity: EngineFailure.Activity
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let onClose: @Sendable () -> Void

    private struct State {
        var serial: UInt64 = 0
        var cancelled: UInt64 = 0
    }
    private let state = Monitor(State())

    /// - Parameter activity: the activity of requests on this lane, for error messages.
    package init(_ opening: LaneOpening, _ activity: EngineFailure.Activity) throws(EngineFailure) {
        limits = opening.limits
        self.activity = activity
        worker = opening.worker
        number = opening.number
        socket = opening.socket
        onClose = opening.onClose
        do { wakeUp = try WakeUp() } catch { throw opening.worker.failure(.notStarted(.lane(error))) }
    }

    deinit { onClose() }

    /// Whether the worker is alive. If not, open a new lane, which gets a new worker.
    package var isAlive: Bool { worker.isSound }

    /// The worker's total CPU time for all of its lanes; nil if the worker has ended.
    package var processorTime: Duration? { worker.processorTime }

    /// Cancels the current request, but not later requests. Does not block.
    package func cancel() {
        let serial = state.update { state in
            state.cancelled = state.serial
            return state.serial
        }
        worker.cancel(lane: number, serial: serial)
        wakeUp.signal()
    }

    /// Starts a new request, which can be cancelled from now on. Returns its serial number.
    package func begin() -> UInt64 {
        let serial = state.update { state in
            state.serial += 1
            return state.serial
        }
        wakeUp.clear()
        return serial
    }

    /// Returns a new watch for a request.
    func newWatch() -> LaneWatch { LaneWatch(limits) }

    package func isCancelled(_ serial: UInt64) -> Bool { state.read { $0.cancelled >= serial } }

    /// Whether the current request has not been cancelled.
    package var isWanted: Bool { state.read { $0.cancelled < $0.serial } }

    /// Sends a frame. Returns false only if the socket currently has no space for it. After any other error, `next`
    /// throws the reason.
    package func send(_ frame: [UInt8]) -> Bool {
        do { try socket.send(frame, wait: false) } catch { return error.code != EAGAIN }
        return true
    }

    /// The result of a wait.
    package enum Answer {
        case frame([UInt8])
        /// The request was cancelled, and the worker has ended, either by itself or because it was killed after failing
        /// to stop.
        case cancelled
        /// Another event that the caller is waiting for has occurred.
        case other
    }

    /// Waits for the worker's next frame. Stops an engine that has taken too long to reply, according to the watch.
    ///
    /// - Parameters:
    ///   - isFull: whether to also wait until the socket has space for a frame.
    ///   - other: another descriptor to wait for.
    ///   - isIdle: whether the engine is waiting for the host, so that no timeout applies.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over.
    package func next(
        _ serial: UInt64, _ watch: inout LaneWatch, isFull: Bool = false, or other: Descriptor? = nil,
        isIdle: Bool = false,
        whileReplaceable isReplaceable: () -> Bool = { false }
    ) throws(EngineFailure) -> Answer {
        while true {
            let hasEnded: Bool
            switch try wait(serial, &watch, isFull, other, isIdle, isReplaceable) {
            case .killed: return .cancelled
            case .other: return .other
            case .ended: hasEnded = true
            case .readable: hasEnded = false
            }
            if !hasEnded {
                do {
                    if let received = try socket.receive(wait: false) { return .frame(received.bytes) }
                } catch {
                    if error.code == EAGAIN { continue }
                    throw violation()
                }
            }
            // Faults that this lane detects are thrown elsewhere, so this fault was caused by another request.
            let isCausedByAnotherRequest = worker.isFaulty
            let reason = worker.exitReason(activity)
            if isCancelled(serial) { return .cancelled }
            var failure = failure(reason)
            failure.isCausedByAnotherRequest = isCausedByAnotherRequest
            throw failure
        }
    }

    private enum Outcome {
        case readable
        /// The worker has ended, and all of its replies have been read.
        case ended
        /// The worker was killed because it did not stop after a cancellation.
        case killed
        case other
    }

    private func wait(
        _ serial: UInt64, _ watch: inout LaneWatch, _ isFull: Bool, _ other: Descriptor?, _ isIdle: Bool,
        _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> Outcome {
        while true {
            let now = watch.clock.now()
            if isCancelled(serial) {
                watch.watchdog.askToStop(now: now)
            } else if isIdle {
                watch.watchdog.restart(now: now)
            }
            switch watch.watchdog.step(
                now: now, used: { worker.processorTime }, isBlocked: { worker.isBlocked }, isReplaceable: isReplaceable)
            {
            case .terminate: worker.terminate(.hung(limits.cancelGrace))
            case .kill:
                worker.kill(.hung(limits.cancelGrace + limits.killGrace))
                return .killed
            case .giveUp(let limit):
                worker.kill(.hung(limit))
                throw failure(.hung(limit, activity))
            case .wait(let end):
                var waited: [(Int32, events: Int32)] = [
                    (socket.descriptor.raw, events: isFull ? POLLIN | POLLOUT : POLLIN),
                    (wakeUp.descriptor.raw, events: POLLIN), (worker.ended.raw, events: POLLIN),
                ]
                if let other { waited.append((other.raw, events: POLLIN)) }
                guard
                    let ready = try? Poll.wait(waited, timeout: min(max(.zero, end - now), RunningClock.longestStep))
                else { continue }
                if ready[0] & ~POLLOUT != 0 { return .readable }
                // A child process of the worker may keep the other end of the socket open.
                if ready[2] != 0 { return .ended }
                if ready[0] != 0 || other != nil && ready[3] != 0 { return .other }
                if ready[1] != 0 {
                    wakeUp.clear()
                    // A caller that also waits for other events must handle the cancellation now.
                    if isFull || other != nil { return .other }
                }
            }
        }
    }

    /// Stops the worker because of an invalid message, and returns the failure to throw.
    package func violation() -> EngineFailure {
        worker.kill(.violatedProtocol)
        return failure(.violatedProtocol(activity))
    }

    package func failure(_ reason: EngineFailure.Reason) -> EngineFailure { worker.failure(reason) }
}

/// Tracks the wait for replies to a request.
package struct LaneWatch {
    fileprivate var watchdog: Watchdog
    fileprivate var clock = RunningClock()

    fileprivate init(_ limits: EngineLimits) { watchdog = Watchdog(limits, now: clock.now()) }

    /// Restarts the wait, because a reply has arrived or the host has finished processing the last reply.
    package mutating func restart() { watchdog.restart(now: clock.now()) }
}
