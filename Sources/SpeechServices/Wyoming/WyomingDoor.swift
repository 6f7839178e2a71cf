package import System

extension Door {
    /// Lets clients in that speak Wyoming.
    package static func wyoming(
        _ address: SocketAddress, _ service: SpeechService, _ words: ServiceWords
    ) throws(SocketListener.Failure) -> Door {
        Door(try SocketListener(address), limit: service.limits.clients) { WyomingClient($0, service, words) }
    }
}
