package import SynthJSON
import SynthSystem

/// What the service of this user tells of itself.
package struct ResidentStatus: Sendable {
    /// An object, as `ServiceFigures` has it.
    package let figures: JSONNode

    /// Asks; nil = no service answers. Blocks for some seconds at most.
    package init?(at socket: String) {
        guard let stream = try? SocketStream(to: .unix(socket), within: ResidentLanes.patience), stream.isOfThisUser
        else { return nil }
        let connection = WyomingConnection(stream, longestData: 1 << 20, patience: ResidentLanes.patience)
        guard (try? connection.send(WyomingEvent(type: Self.event))) != nil else { return nil }
        let deadline = ContinuousClock.now + ResidentLanes.patience
        while ContinuousClock.now < deadline, let event = try? connection.nextOfService(within: ResidentLanes.patience)
        {
            guard event.type == Self.event else { continue }
            figures = JSONNode(.object(event.data))
            return
        }
        return nil
    }

    /// The question, and the answer.
    static let event = "synthhost-status"
}
