package import EngineProcesses
package import EngineWire
import Glibc
import System

/// A lane of an engine. Requests run one after the other; `cancel` may be called from any thread.
package final class EngineLane: Sendable {
    private let worker: WorkerProcess
    private let number: UInt32
    private let limits: EngineLimits
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let onClose: @Sendable () -> Void

    private struct State {
        var serial: UInt64 = 0
        var cancelled: UInt64 = 0
    }
    private let state = Monitor(State())

    init(_ opening: WorkerPool.Opening, limits: EngineLimits) throws(Errno) {
        self.limits = limits
        worker = opening.worker
        number = opening.number
        socket = opening.socket
        onClose = opening.onClose
        wakeUp = try WakeUp()
    }

    deinit { onClose() }

    /// False when the worker has ended; a new lane gets a new one.
    package var isAlive: Bool { worker.isSound }

    /// The processor time of the worker so far, for all its lanes; nil if it has ended.
    package var processorTime: Duration? { worker.processorTime }

    /// Cancels the running request, but no later one. Returns at once.
    package func cancel() {
        let serial = state.update { state in
            state.cancelled = state.serial
            return state.serial
        }
        worker.cancel(lane: number, serial: serial)
        wakeUp.signal()
    }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let serial = state.update { state in
            state.serial += 1
            return state.serial
        }
        wakeUp.clear()
        if isStopped() { return false }
        try send(request, serial)

        var frames: UInt64 = 0
        var channels: UInt64 = 0
        var clock = RunningClock()
        var watchdog = Watchdog(limits, now: clock.now())
        while true {
            switch try next(serial, &watchdog, &clock, isReplaceable) {
            case .begin(_, let rate, let count):
                guard channels == 0, playableChannels.contains(count), playableSampleRates.contains(rate) else {
                    throw protocolViolation()
                }
                channels = UInt64(count)
                deliver(.begin(sampleRate: Int(rate), channels: Int(count)), part)
            case .audio(_, let samples):
                guard channels > 0, !samples.isEmpty, samples.count.isMultiple(of: Int(channels)) else {
                    throw protocolViolation()
                }
                frames += UInt64(samples.count) / channels
                deliver(.audio(samples), part)
            case .event(_, let event):
                guard channels > 0, request.text.isValid(event.text) else { throw protocolViolation() }
                deliver(.event(event), part)
            case .end(_, let frameCount, let outcome):
                switch outcome {
                case .spoken where frameCount == frames: return !isCancelled(serial)
                case .spoken: throw protocolViolation()
                case .cancelled: return false
                // An error after a cancel is of no interest.
                case .failed where isCancelled(serial): return false
                case .failed(let error): throw failure(.reported(error))
                }
            }
        }
    }

    private func send(_ request: LaneRequest, _ serial: UInt64) throws(EngineFailure) {
        var numbered = request
        numbered.serial = serial
        let frame = numbered.frameBytes
        guard request.text.isSpeakable, frame.count <= largestFrame else {
            throw failure(.unspeakableText)
        }
        do {
            try socket.send(frame, wait: false)
        } catch {
            // EAGAIN: the worker does not read although no request runs. If it has ended, `next` reports that with the
            // reason.
            if error.code == EAGAIN { throw protocolViolation() }
        }
    }

    private func isCancelled(_ serial: UInt64) -> Bool { state.read { $0.cancelled >= serial } }

    /// After a cancel the remaining parts are dropped.
    private func deliver(_ piece: SpeechPart, _ part: (SpeechPart) -> Bool) {
        let isWanted = state.read { $0.cancelled < $0.serial }
        if isWanted, !part(piece) { cancel() }
    }

    /// The next reply that belongs to the request. Replies of earlier requests are dropped.
    private func next(
        _ serial: UInt64, _ watchdog: inout Watchdog, _ clock: inout RunningClock, _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> LaneReply {
        watchdog.restart(now: clock.now())
        while true {
            var received: (bytes: [UInt8], passed: Descriptor?)?
            switch try waitForReply(serial, &watchdog, &clock, isReplaceable) {
            case .killed: return cancelledEnd(serial)
            case .ended: received = nil
            case .readable:
                do {
                    received = try socket.receive(wait: false)
                } catch {
                    if error.code == EAGAIN { continue }
                    throw protocolViolation()
                }
            }
            guard let received else {
                let reason = worker.exitReason(.speaking)
                if isCancelled(serial) { return cancelledEnd(serial) }
                throw failure(reason)
            }
            guard let reply = try? LaneReply(frameBytes: received.bytes[...]), reply.serial <= serial else {
                throw protocolViolation()
            }
            if reply.serial == serial { return reply }
        }
    }

    /// If the engine was killed because it did not stop, the request counts as cancelled.
    private func cancelledEnd(_ serial: UInt64) -> LaneReply { .end(serial: serial, frameCount: 0, .cancelled) }

    private enum WaitResult {
        case readable
        /// The worker has ended, and all its replies were read.
        case ended
        /// It was killed because it did not stop after a cancel.
        case killed
    }

    /// Waits until there is something to read. Ends an engine that gives no reply for too long, by the watchdog.
    private func waitForReply(
        _ serial: UInt64, _ watchdog: inout Watchdog, _ clock: inout RunningClock, _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> WaitResult {
        while true {
            let now = clock.now()
            if isCancelled(serial) { watchdog.askToStop(now: now) }
            switch watchdog.step(
                now: now, used: { worker.processorTime }, isHeldUp: { worker.isHeldUp }, isReplaceable: isReplaceable)
            {
            case .terminate: worker.terminate(.hung(limits.cancelGrace))
            case .kill:
                worker.kill(.hung(limits.cancelGrace + limits.killGrace))
                return .killed
            case .giveUp(let limit):
                worker.kill(.hung(limit))
                throw failure(.hung(limit, .speaking))
            case .wait(let end):
                let ready = try? Poll.wait(
                    [
                        (socket.descriptor.raw, events: POLLIN), (wakeUp.descriptor.raw, events: POLLIN),
                        (worker.ended.raw, events: POLLIN),
                    ],
                    timeout: min(max(.zero, end - now), RunningClock.longestStep))
                if let ready, ready[0] != 0 { return .readable }
                // A child of the worker may keep the other end of the socket open.
                if let ready, ready[2] != 0 { return .ended }
                if let ready, ready[1] != 0 { wakeUp.clear() }
            }
        }
    }

    private func protocolViolation() -> EngineFailure {
        worker.kill(.violatedProtocol)
        return failure(.violatedProtocol(.speaking))
    }

    private func failure(_ reason: EngineFailure.Reason) -> EngineFailure {
        worker.failure(reason)
    }
}

extension EngineLane: SpeakingLane {}

extension SpokenText {
    fileprivate var utf8: String.UTF8View { content.utf8 }

    fileprivate var isSpeakable: Bool { utf8.count <= longestText && !utf8.contains(0) }

    /// Whether the range is within the text, on Unicode scalar boundaries.
    fileprivate func isValid(_ range: Range<Int>) -> Bool {
        range.upperBound <= utf8.count && isBorder(range.lowerBound) && isBorder(range.upperBound)
    }

    private func isBorder(_ offset: Int) -> Bool {
        offset == utf8.count || utf8[utf8.index(utf8.startIndex, offsetBy: offset)] & 0xC0 != 0x80
    }
}
