package import System

extension Door {
    /// Lets clients in that speak HTTP.
    package static func web(_ listener: SocketListener, _ server: WebServer) -> Door {
        web(listener, server, HTTPConnection.Patience())
    }

    /// - Parameter patience: how slow clients may be.
    static func web(_ listener: SocketListener, _ server: WebServer, _ patience: HTTPConnection.Patience) -> Door {
        Door(listener, limit: server.service.limits.webClients) { WebClient($0, server, patience) }
    }
}
