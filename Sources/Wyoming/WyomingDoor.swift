package import SpeechService
package import System

extension Door {
    /// Lets clients in that speak Wyoming.
    ///
    /// - Parameters:
    ///   - listing: which voices they are told of.
    ///   - lendsLanes: for a socket that only this user reaches: its programs may speak on the engines themselves, and nobody
    ///     else comes in.
    ///   - hearing: what understands sound; nil = nobody does.
    package static func wyoming(
        _ listener: SocketListener, _ service: SpeechService, _ words: ServiceWords,
        listing: WyomingListing = .usual, lendsLanes: Bool = false, hearing: HearingService? = nil
    ) -> Door {
        let voices = WyomingVoices(service, words, listing, hearing: hearing)
        let limits = Door.Limits(clients: service.limits.clients, reserve: service.limits.reserve)
        return Door(listener, limits) { stream, isReserved in
            if lendsLanes, !stream.isOfThisUser { stream.stop() }
            return WyomingClient(
                stream, service, words, voices, lendsLanes: lendsLanes, hearing: hearing, isReserved: isReserved)
        }
    }
}
