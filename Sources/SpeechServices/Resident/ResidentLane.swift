import EngineWire
import Engines
import SynthHost
import System

/// A lane of the service. If the service ends in the middle of an utterance, a lane of the program's own speaks the rest.
final class ResidentLane: SpeakingLane {
    private struct State {
        var serial: UInt64 = 0
        var cancelled: UInt64 = 0
        /// The service ended.
        var isLost = false
        var own: (any SpeakingLane)?
    }
    /// Why the service speaks no more.
    private struct Lost: Error {}

    private let connection: WyomingConnection
    private let openOwn: LanePool.Open
    private let onLoss: @Sendable () -> Void
    private let state = Monitor(State())

    /// - Parameters:
    ///   - connection: on which a lane was lent.
    ///   - onLoss: called once, when the service ended.
    init(
        _ connection: WyomingConnection, openOwn: @escaping LanePool.Open,
        onLoss: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.openOwn = openOwn
        self.onLoss = onLoss
    }

    deinit { connection.stop() }

    var isAlive: Bool {
        let (own, isLost) = state.read { ($0.own, $0.isLost) }
        return own?.isAlive ?? (!isLost && !connection.hasEnded)
    }

    func cancel() {
        let (serial, own) = state.update { state in
            state.cancelled = state.serial
            return (state.serial, state.own)
        }
        if let own { return own.cancel() }
        do {
            try connection.send(LaneEvent.cancel(serial), within: .milliseconds(100))
        } catch {
            // What does not even hear that is lost.
            connection.stop()
        }
    }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        try speak(request, unless: isStopped, whileReplaceable: { false }, part)
    }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        if let own = state.read({ $0.own }) {
            return try own.speak(request, unless: isStopped, whileReplaceable: isReplaceable, part)
        }
        var request = request
        request.serial = state.update { state in
            state.serial += 1
            return state.serial
        }
        if isStopped() { return false }
        var heard = HeardSound()
        do {
            try connection.send(LaneEvent.utterance(request, isReplaceable: isReplaceable()))
            return try listen(request.serial, &heard, part)
        } catch let failure as EngineFailure {
            throw failure
        } catch {
            return try speakHere(request, heard, unless: isStopped, isReplaceable, part)
        }
    }

    private func listen(
        _ serial: UInt64, _ heard: inout HeardSound, _ part: (SpeechPart) -> Bool
    ) throws -> Bool {
        while true {
            guard let event = try connection.nextOfService(within: ResidentLanes.patience) else { throw Lost() }
            switch event.type {
            case LaneEvent.part:
                guard let reply: LaneReply = event.value() else { throw Lost() }
                if reply.serial != serial { continue }
                switch reply {
                case .begin(_, let rate, let channels):
                    pass(.begin(sampleRate: Int(rate), channels: Int(channels)), &heard, part)
                case .audio(_, let samples): pass(.audio(samples), &heard, part)
                case .event(_, let event): pass(.event(event), &heard, part)
                case .end(_, _, .spoken): return !isCancelled(serial)
                case .end: return false
                }
            case LaneEvent.failure:
                guard let failure: EngineFailure = event.value() else { throw Lost() }
                if isCancelled(serial) { return false }
                throw failure
            default: continue
            }
        }
    }

    /// After a cancel the remaining parts are dropped.
    private func pass(_ piece: SpeechPart, _ heard: inout HeardSound, _ part: (SpeechPart) -> Bool) {
        heard.add(piece)
        if !isCancelled(), !part(piece) { cancel() }
    }

    private func speakHere(
        _ request: LaneRequest, _ heard: HeardSound, unless isStopped: () -> Bool, _ isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        connection.stop()
        state.update { $0.isLost = true }
        if isCancelled(request.serial) || isStopped() { return false }
        onLoss()
        let own = try openOwn(isReplaceable)
        state.update { $0.own = own }
        var rest = heard
        return try own.speak(
            request, unless: { isStopped() || isCancelled(request.serial) }, whileReplaceable: isReplaceable
        ) { piece in rest.remove(from: piece).map(part) ?? true }
    }

    private func isCancelled(_ serial: UInt64? = nil) -> Bool {
        state.read { $0.cancelled >= serial ?? $0.serial }
    }
}
