/// Lets clients in at an address, each on a thread of its own, up to a limit. When all places are taken, a new client gets that
/// of the one that sent or took nothing for longest. If all of them wait for an answer, it gets one of a few reserved places,
/// in which nothing is begun that may take long. Each client that has to go is told so. Any thread may use it.
package final class Door: Sendable {
    /// How many clients there may be.
    package struct Limits: Sendable {
        package var clients: Int
        /// In the places more; and those that leave while another one has their place.
        package var reserve: Int

        package init(clients: Int, reserve: Int) {
            self.clients = clients
            self.reserve = reserve
        }
    }
    private struct Place {
        let client: any DoorClient
        let isReserved: Bool
        /// It was turned away; its place is another's.
        var isLeaving = false
    }
    private struct State {
        var places: [Int: Place] = [:]
        var next = 0
        var isStopped = false

        var clients: [any DoorClient] { places.values.map(\.client) }
        var leaving: [any DoorClient] { places.values.filter(\.isLeaving).map(\.client) }
    }
    private let listener: SocketListener
    private let limits: Limits
    private let makeClient: @Sendable (_ stream: SocketStream, _ isReserved: Bool) -> any DoorClient
    private let state = Monitor(State())

    /// - Parameter makeClient: told whether the client has one of the places in which nothing is begun that may take long.
    package init(
        _ listener: SocketListener, _ limits: Limits,
        client makeClient: @escaping @Sendable (_ stream: SocketStream, _ isReserved: Bool) -> any DoorClient
    ) {
        self.listener = listener
        self.limits = limits
        self.makeClient = makeClient
    }

    /// Where it is, with the port that it got.
    package var address: SocketAddress { listener.address }

    /// How many clients there are, without those that were turned away.
    package var clientCount: Int { state.read { state in state.places.values.count { !$0.isLeaving } } }

    /// Blocks until there are so many clients, those included that leave. For tests.
    package func waitForClients(_ count: Int) { _ = state.wait { $0.places.count == count ? true : nil } }

    /// Lets clients in until it is stopped. Blocks.
    package func run() {
        while !state.read({ $0.isStopped }) {
            do {
                guard let stream = try listener.accept() else { return }
                admit(stream)
            } catch {
                // No descriptor or memory is left: a client has to go before another one comes.
                let count = state.read { $0.places.count }
                _ = turnAwayStillest { _ in true }
                _ = state.wait(timeout: .seconds(1)) { $0.isStopped || $0.places.count < count ? true : nil }
            }
        }
    }

    /// From any thread: lets nobody in any more.
    package func stop() {
        state.update { $0.isStopped = true }
        listener.stop()
    }

    /// Waits until no client asks for anything, up to a moment. What remains is cancelled, with its end; then all have to go.
    ///
    /// - Parameter patience: how long a client may take to hear that its speech is over; twice that to go.
    package func drain(until deadline: ContinuousClock.Instant, patience: Duration = .seconds(1)) {
        stop()
        waitForIdle(until: deadline)
        for client in state.read({ $0.clients }) { client.finish() }
        waitForIdle(until: .now + patience)
        for client in state.read({ $0.clients }) { client.stop() }
        _ = state.wait(timeout: patience * 2) { $0.places.isEmpty ? true : nil }
    }

    private func waitForIdle(until deadline: ContinuousClock.Instant) {
        // A client says nothing when it becomes idle.
        while ContinuousClock.now < deadline, !state.read({ $0.clients.allSatisfy { $0.idleSince != nil } }) {
            _ = state.wait(timeout: .milliseconds(20)) { $0.places.isEmpty ? true : nil }
        }
    }

    // MARK: - Places

    /// For each place more: those that leave and are stopped are gone soon.
    private static let mostLeaving = 4

    private func admit(_ stream: SocketStream) {
        guard let isReserved = placeForNext() else { return makeClient(stream, true).refuse() }
        let client = makeClient(stream, isReserved)
        let number = state.update { state -> Int? in
            if state.isStopped { return nil }
            state.next += 1
            state.places[state.next] = Place(client: client, isReserved: isReserved)
            return state.next
        }
        guard let number else { return stream.stop() }
        let isServed = startThread("client") { [state] in
            client.run()
            state.update { $0.places[number] = nil }
        }
        if isServed { return }
        client.refuse()
        state.update { $0.places[number] = nil }
    }

    /// Whether the next client gets one of the places more; nil = all are taken, too.
    private func placeForNext() -> Bool? {
        for isReserved in [false, true] {
            let count = state.read { state in
                state.places.values.count { $0.isReserved == isReserved && !$0.isLeaving }
            }
            if count < (isReserved ? limits.reserve : limits.clients) { return isReserved }
            // Those that leave take a moment to hear why, which many at once do not get.
            let leaving = state.read { $0.leaving }
            if leaving.count >= limits.reserve { for client in leaving { client.stop() } }
            if leaving.count < Self.mostLeaving * limits.reserve,
                turnAwayStillest(where: { $0.isReserved == isReserved })
            {
                return isReserved
            }
        }
        return nil
    }

    /// - Returns: false if all wait for something.
    private func turnAwayStillest(where isMeant: (Place) -> Bool) -> Bool {
        let still = state.read { $0.places }.compactMap { number, place in
            place.isLeaving || !isMeant(place) ? nil : place.client.stillSince.map { (since: $0, number: number) }
        }
        guard let number = still.min(by: { $0.since < $1.since })?.number,
            let client = state.update({ state in
                state.places[number]?.isLeaving = true
                return state.places[number]?.client
            })
        else { return false }
        client.turnAway()
        return true
    }
}

/// One client of a door.
package protocol DoorClient: AnyObject, Sendable {
    /// When all that it asked for was done; nil = something is not.
    var idleSince: ContinuousClock.Instant? { get }

    /// Since when it has sent or taken nothing, though it is its turn: then it may have to go for another one. nil = it waits
    /// for what it asked for, or takes it. Must not block.
    var stillSince: ContinuousClock.Instant? { get }

    /// Serves it. Blocks until it is gone.
    func run()

    /// From any thread: what it asked for is over, and it is told so.
    func finish()

    /// From any thread: it has to go for another one, and is told so if it asked for something and can still hear it. Returns
    /// at once; `run` ends soon.
    func turnAway()

    /// Instead of `run`: says that there is no room, as far as that can be said at once, and ends it.
    func refuse()

    /// From any thread: ends it soon.
    func stop()
}
