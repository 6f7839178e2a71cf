package import System

extension Door {
    /// Lets clients in that speak Wyoming.
    ///
    /// - Parameter lendsLanes: for a socket that only this user reaches: its programs may speak on the engines themselves, and
    ///   nobody else comes in.
    package static func wyoming(
        _ listener: SocketListener, _ service: SpeechService, _ words: ServiceWords, lendsLanes: Bool = false
    ) -> Door {
        Door(listener, limit: service.limits.clients) { stream in
            if lendsLanes, !stream.isOfThisUser { stream.stop() }
            return WyomingClient(stream, service, words, lendsLanes: lendsLanes)
        }
    }
}
