import Engines
package import SynthHost
import System

/// Lanes of the service that this user runs, if it runs and would speak as this program does; else lanes of the program's own.
package struct ResidentLanes: LaneSource {
    /// Who speaks.
    package enum Use: Equatable, Sendable {
        case service
        /// The service speaks otherwise, in these lines of the program's own identity.
        case own(differing: [String])
        /// The service ended in the middle of a speech.
        case lost
    }
    private let socket: String
    private let identity: HostIdentity
    private let priority: SpeechPriority
    private let onUse: @Sendable (Use) -> Void

    /// - Parameters:
    ///   - socket: the path of the service's socket, whether it is there or not.
    ///   - onUse: told on any thread.
    package init(
        at socket: String, _ identity: HostIdentity, _ priority: SpeechPriority,
        onUse: @escaping @Sendable (Use) -> Void = { _ in }
    ) {
        self.socket = socket
        self.identity = identity
        self.priority = priority
        self.onUse = onUse
    }

    package func lanes(of model: ModelKey, limit: Int, open: @escaping LanePool.Open) -> LanePool {
        LanePool(limit: limit, open: opening(model, open))
    }

    /// Opens a lane of the service, or else as `open` does.
    func opening(_ model: ModelKey, _ open: @escaping LanePool.Open) -> LanePool.Open {
        { isReplaceable throws(EngineFailure) in
            if let lane = try lane(of: model, isReplaceable: isReplaceable(), open) { return lane }
            return try open(isReplaceable)
        }
    }

    /// nil = there is no service that speaks as this program does.
    private func lane(
        of model: ModelKey, isReplaceable: Bool, _ open: @escaping LanePool.Open
    ) throws(EngineFailure) -> ResidentLane? {
        guard let stream = try? SocketStream(to: .unix(socket), within: Self.patience), stream.isOfThisUser else {
            return nil
        }
        let connection = WyomingConnection(stream, longestData: 1 << 20, patience: Self.patience)
        let question = LaneEvent.ask(model, identity, priority, isReplaceable: isReplaceable)
        switch try? answer(to: question, on: connection) {
        case .ready?:
            onUse(.service)
            return ResidentLane(connection, openOwn: open) { [onUse] in onUse(.lost) }
        case .failed(let failure)?:
            // What the service lacks, this program may have.
            if case .notStarted = failure.reason { return nil }
            onUse(.service)
            throw failure
        case .differs(let theirs)?:
            onUse(.own(differing: identity.lines.filter { !theirs.lines.contains($0) }))
            return nil
        case nil: return nil
        }
    }

    private enum Answer {
        case ready
        case failed(EngineFailure)
        case differs(HostIdentity)
    }

    /// nil = the service is gone, or is none.
    private func answer(to question: WyomingEvent, on connection: WyomingConnection) throws -> Answer? {
        try connection.send(question)
        // What is alive says so each second.
        while let event = try connection.nextOfService(within: Self.patience) {
            switch event.type {
            case LaneEvent.ready: return .ready
            case LaneEvent.failure: return event.value(EngineFailure.self).map { .failed($0) }
            case LaneEvent.differs: return .differs(event.identity ?? HostIdentity(lines: []))
            default: continue
            }
        }
        return nil
    }

    static let patience = Duration.seconds(5)
}
