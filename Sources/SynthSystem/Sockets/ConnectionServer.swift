/// Accepts clients at an address, up to a limit, and serves each on its own thread. When all slots are taken, a new
/// client replaces the client that has been inactive the longest. If all clients are waiting for a response, the new
/// client gets one of a few reserved slots, which accept no long requests. Evicted clients are notified. Thread-safe.
package final class ConnectionServer: Sendable {
    /// Limits on the number of clients.
    package struct Limits: Sendable {
        package var clients: Int
        /// The number of additional, reserved slots. Once this many evicted clients are still connected, they are
        /// disconnected without further delay.
        package var reserve: Int

        package init(clients: Int, reserve: Int) {
            self.clients = clients
            self.reserve = reserve
        }
    }
    private struct Slot {
        let client: any ServerClient
        let isReserved: Bool
        /// Whether the client was evicted; if so, its slot is already available to another client.
        var isLeaving = false
    }
    private struct State {
        var slots: [Int: Slot] = [:]
        var next = 0
        var isStopped = false

        var clients: [any ServerClient] { slots.values.map(\.client) }
        var leaving: [any ServerClient] { slots.values.filter(\.isLeaving).map(\.client) }
    }
    private let listener: SocketListener
    private let limits: Limits
    private let makeClient: @Sendable (_ stream: SocketStream, _ isReserved: Bool) -> any ServerClient
    private let state = Monitor(State())

    /// - Parameter makeClient: `isReserved` is true if the client gets a reserved slot, which accepts no long requests.
    package init(
        _ listener: SocketListener, _ limits: Limits,
        client makeClient: @escaping @Sendable (_ stream: SocketStream, _ isReserved: Bool) -> any ServerClient
    ) {
        self.listener = listener
        self.limits = limits
        self.makeClient = makeClient
    }

    /// The address, with the assigned port.
    package var address: SocketAddress { listener.address }

    /// The number of clients, excluding evicted clients.
    package var clientCount: Int { state.read { state in state.slots.values.count { !$0.isLeaving } } }

    /// Blocks until there are `count` clients, including evicted clients that have not disconnected yet. For tests.
    package func waitForClients(_ count: Int) { _ = state.wait { $0.slots.count == count ? true : nil } }

    /// Accepts clients until the server is stopped. Blocks.
    package func run() {
        while !state.read({ $0.isStopped }) {
            do {
                guard let stream = try listener.accept() else { return }
                admit(stream)
            } catch {
                // Out of descriptors or memory: a client must disconnect before another client can be accepted.
                let count = state.read { $0.slots.count }
                _ = evictIdlest { _ in true }
                _ = state.wait(timeout: .seconds(1)) { $0.isStopped || $0.slots.count < count ? true : nil }
            }
        }
    }

    /// Stops accepting clients. May be called from any thread.
    package func stop() {
        state.update { $0.isStopped = true }
        listener.stop()
    }

    /// Waits until all clients are idle or the deadline has passed. Then cancels the remaining requests, notifies their
    /// clients, and disconnects all clients.
    ///
    /// - Parameter timeout: the time in which clients can receive the end of their audio. After that, they have twice
    ///   as long to disconnect.
    package func drain(until deadline: ContinuousClock.Instant, timeout: Duration = .seconds(1)) {
        stop()
        waitForIdle(until: deadline)
        for client in state.read({ $0.clients }) { client.finish() }
        waitForIdle(until: .now + timeout)
        for client in state.read({ $0.clients }) { client.stop() }
        _ = state.wait(timeout: timeout * 2) { $0.slots.isEmpty ? true : nil }
    }

    private func waitForIdle(until deadline: ContinuousClock.Instant) {
        // Clients do not report when they become idle, so poll.
        while ContinuousClock.now < deadline, !state.read({ $0.clients.allSatisfy { $0.idleSince != nil } }) {
            _ = state.wait(timeout: .milliseconds(20)) { $0.slots.isEmpty ? true : nil }
        }
    }

    // MARK: - Slots

    /// The maximum number of leaving clients per reserved slot. A leaving client disconnects soon after it is stopped.
    private static let maximumLeaving = 4

    private func admit(_ stream: SocketStream) {
        guard let isReserved = slotForNext() else { return makeClient(stream, true).refuse() }
        let client = makeClient(stream, isReserved)
        let number = state.update { state -> Int? in
            if state.isStopped { return nil }
            state.next += 1
            state.slots[state.next] = Slot(client: client, isReserved: isReserved)
            return state.next
        }
        guard let number else { return stream.stop() }
        let isServed = startThread("client") { [state] in
            client.run()
            state.update { $0.slots[number] = nil }
        }
        if isServed { return }
        client.refuse()
        state.update { $0.slots[number] = nil }
    }

    /// Whether the next client gets a reserved slot; nil if all slots are taken.
    private func slotForNext() -> Bool? {
        for isReserved in [false, true] {
            let count = state.read { state in
                state.slots.values.count { $0.isReserved == isReserved && !$0.isLeaving }
            }
            if count < (isReserved ? limits.reserve : limits.clients) { return isReserved }
            // Leaving clients get a moment to receive the reason, unless there are many of them.
            let leaving = state.read { $0.leaving }
            if leaving.count >= limits.reserve { for client in leaving { client.stop() } }
            if leaving.count < Self.maximumLeaving * limits.reserve,
                evictIdlest(where: { $0.isReserved == isReserved })
            {
                return isReserved
            }
        }
        return nil
    }

    /// - Returns: false if no client can be evicted because all are waiting for a response.
    private func evictIdlest(where isIncluded: (Slot) -> Bool) -> Bool {
        let still = state.read { $0.slots }.compactMap { number, slot in
            slot.isLeaving || !isIncluded(slot) ? nil : slot.client.inactiveSince.map { (since: $0, number: number) }
        }
        guard let number = still.min(by: { $0.since < $1.since })?.number,
            let client = state.update({ state in
                state.slots[number]?.isLeaving = true
                return state.slots[number]?.client
            })
        else { return false }
        client.evict()
        return true
    }
}

/// A client of a `ConnectionServer`.
package protocol ServerClient: AnyObject, Sendable {
    /// The time at which the last request finished; nil if a request is still open.
    var idleSince: ContinuousClock.Instant? { get }

    /// The time at which the client became inactive, if the server is waiting for the client to send or receive data;
    /// the client may then be evicted. The time is nil while the client is waiting for a response or receiving one.
    /// Must not block.
    var inactiveSince: ContinuousClock.Instant? { get }

    /// Serves the client. Blocks until it has disconnected.
    func run()

    /// Ends all requests and notifies the client. May be called from any thread.
    func finish()

    /// Evicts the client to make room for another client. The evicted client is notified if it has an open request and
    /// can still be reached. Returns immediately; `run` ends soon after. May be called from any thread.
    func evict()

    /// Called instead of `run`: reports that the server is full, if it can do so without waiting, and disconnects.
    func refuse()

    /// Disconnects the client soon. May be called from any thread.
    func stop()
}
