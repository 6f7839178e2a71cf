package import System

/// Lets clients in at an address, each on a thread of its own, up to a limit. When there are as many as there may be, the one
/// goes that was waited for the longest. Any thread may use it.
package final class Door: Sendable {
    private struct State {
        var clients: [Int: any DoorClient] = [:]
        var next = 0
        var isStopped = false
    }
    private let listener: SocketListener
    private let limit: Int
    private let makeClient: @Sendable (SocketStream) -> any DoorClient
    private let state = Monitor(State())

    init(
        _ listener: SocketListener, limit: Int, client makeClient: @escaping @Sendable (SocketStream) -> any DoorClient
    ) {
        self.listener = listener
        self.limit = limit
        self.makeClient = makeClient
    }

    /// Where it is, with the port that it got.
    package var address: SocketAddress { listener.address }

    /// How many clients there are.
    package var clientCount: Int { state.read { $0.clients.count } }

    /// Blocks until there are so many clients. For tests.
    func waitForClients(_ count: Int) { _ = state.wait { $0.clients.count == count ? true : nil } }

    /// Lets clients in until it is stopped. Blocks.
    package func run() {
        while !state.read({ $0.isStopped }) {
            do throws(Errno) {
                guard let stream = try listener.accept() else { return }
                admit(stream)
            } catch {
                // No descriptor or memory is left: a client has to go before another one comes.
                if !dropIdle() { _ = state.wait(timeout: .seconds(1)) { $0.isStopped ? true : nil } }
            }
        }
    }

    /// From any thread: lets nobody in any more.
    package func stop() {
        state.update { $0.isStopped = true }
        listener.stop()
    }

    /// Waits until no client asks for anything, up to a moment. What remains is cancelled, with its end; then all have to go.
    package func drain(until deadline: ContinuousClock.Instant) {
        stop()
        waitForIdle(until: deadline)
        for client in state.read({ Array($0.clients.values) }) { client.finish() }
        waitForIdle(until: .now + Self.farewell)
        for client in state.read({ Array($0.clients.values) }) { client.stop() }
        _ = state.wait(timeout: .seconds(2)) { $0.clients.isEmpty ? true : nil }
    }

    /// How long a client may take to hear that its speech is over.
    private static let farewell = Duration.seconds(1)

    private func waitForIdle(until deadline: ContinuousClock.Instant) {
        // A client says nothing when it becomes idle.
        while ContinuousClock.now < deadline, !state.read({ $0.clients.values.allSatisfy { $0.idleSince != nil } }) {
            _ = state.wait(timeout: .milliseconds(20)) { $0.clients.isEmpty ? true : nil }
        }
    }

    private func admit(_ stream: SocketStream) {
        if state.read({ $0.clients.count >= limit }), !dropIdle() { return stream.stop() }
        let client = makeClient(stream)
        let number = state.update { state -> Int? in
            if state.isStopped { return nil }
            state.next += 1
            state.clients[state.next] = client
            return state.next
        }
        guard let number else { return stream.stop() }
        let isServed = startThread("client") { [state] in
            client.run()
            state.update { $0.clients[number] = nil }
        }
        if isServed { return }
        stream.stop()
        state.update { $0.clients[number] = nil }
    }

    /// Returns when a client is gone; false if all wait for something, or it does not go.
    private func dropIdle() -> Bool {
        let clients = state.read { $0.clients }.compactMap { number, client in
            client.waitedForSince.map { (since: $0, number: number, client: client) }
        }
        guard let (_, number, client) = clients.min(by: { $0.since < $1.since }) else { return false }
        client.stop()
        return state.wait(timeout: .seconds(1)) { $0.clients[number] == nil ? true : nil } == true
    }
}
