package import System

extension Door {
    /// Lets clients in that speak HTTP.
    package static func web(_ listener: SocketListener, _ server: WebServer) -> Door {
        Door(listener, limit: server.service.limits.webClients) { WebClient($0, server) }
    }
}
