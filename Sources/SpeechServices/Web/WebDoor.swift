package import System

extension Door {
    /// Lets clients in that speak HTTP.
    package static func web(_ listener: SocketListener, _ server: WebServer) -> Door {
        web(listener, server, HTTPConnection.Patience())
    }

    /// - Parameter patience: how slow clients may be.
    static func web(_ listener: SocketListener, _ server: WebServer, _ patience: HTTPConnection.Patience) -> Door {
        let limits = server.service.limits
        return Door(listener, Door.Limits(clients: limits.webClients, reserve: limits.reserve)) { stream, isReserved in
            WebClient(stream, server, patience, isReserved: isReserved)
        }
    }
}
