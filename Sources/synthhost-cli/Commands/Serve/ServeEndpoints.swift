import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem
import SynthWeb
import SynthWyoming

/// Opens the servers of `serve`.
struct ServeEndpoints: CommandPart {
    let context: CommandContext
    let service: SpeechService
    let transcription: TranscriptionService
    let library: ServiceLibrary
    let words: ServiceMessages
    let webMessages: WebMessages

    /// Listens on the sockets from systemd or, without them, on this user's socket, and on the addresses from the options.
    func open(_ host: SpeechHost) throws -> [ServedEndpoint] {
        let machine = host.snapshot().host
        let inherited = SocketListener.inherited(context.environment)
        var endpoints = inherited.map {
            ServedEndpoint(
                wyoming: ConnectionServer.wyoming(
                    $0, service, words, listing: listing, leasesLanes: $0.address.isUnix, transcription: transcription))
        }
        let (wyoming, http) = (arguments[all: Options.wyoming], arguments[all: Options.http])
        if inherited.isEmpty, let socket = machine.folders.socket,
            let connectionServer = try own(socket, isNeeded: wyoming.isEmpty && http.isEmpty)
        {
            endpoints.append(ServedEndpoint(wyoming: connectionServer))
        }
        for address in wyoming {
            endpoints.append(
                ServedEndpoint(
                    wyoming: ConnectionServer.wyoming(
                        try listener(at: address), service, words, listing: listing, transcription: transcription)))
        }
        if !http.isEmpty {
            let token = try token(state: machine.folders.state)
            let page = try machine.installation.page.map { folder in try PageFiles(folder: folder) }
            let documents = DocumentProgram(
                path: machine.installation.read, environment: context.childEnvironment,
                within: service.limits.documentTime, by: machine.programStarter)
            for address in http {
                endpoints.append(try web(at: address, try listener(at: address), token, page, documents))
            }
        }
        guard endpoints.isEmpty else { return endpoints }
        throw CommandFailure(
            .usage, "The service has no address: XDG_RUNTIME_DIR is not set, so it cannot create its socket.",
            "Pass an address: --wyoming tcp://127.0.0.1:10200, or --http 127.0.0.1:8880")
    }

    /// Prints the addresses of the servers.
    func announce(_ endpoints: [ServedEndpoint]) {
        for endpoint in endpoints {
            endpoint.announcements.forEach(context.printNote)
            if let warning = endpoint.warning { context.printMessage(warning) }
        }
    }

    private var listing: WyomingListing { arguments[Options.listAll] ? .all : .usual }

    /// Opens this user's socket. Returns nil if the path is already in use but the service has other addresses.
    private func own(_ socket: String, isNeeded: Bool) throws -> ConnectionServer? {
        makeFolder(of: socket)
        do {
            return ConnectionServer.wyoming(
                try SocketListener(.unix(socket)), service, words, listing: listing, leasesLanes: true,
                transcription: transcription)
        } catch {
            let failure =
                error == .inUse
                ? CommandFailure(
                    .unavailable, "Your service is already running at \(socket).",
                    "To see its status, type: synthhost serve --status")
                : CommandFailure(error, at: .unix(socket))
            if isNeeded { throw failure }
            switch error {
            case .inUse: context.printMessage("Another instance of your service is already running at \(socket).")
            case .notSocket: context.report(failure)
            default: throw failure
            }
            return nil
        }
    }

    /// - Parameter page: the page's files, or nil if the page is not installed.
    private func web(
        at address: SocketAddress, _ listener: SocketListener, _ token: AccessToken, _ page: PageFiles?,
        _ documents: DocumentProgram
    ) throws -> ServedEndpoint {
        // A page of another server cannot have one of this machine's names, so they are safe wherever a token is required.
        let isLocal = listener.address.isLocal
        let ownNames = isLocal ? [] : OwnHost.names.filter { HTTPHosts.Authority($0) != nil }
        guard case .tcp(let host, let port) = listener.address,
            let hosts = HTTPHosts(
                port: port, names: arguments[all: Options.httpName] + ownNames.map { "\($0):\(port)" },
                origins: arguments[all: Options.httpOrigin])
        else { throw CommandFailure(.usage, "\(address) cannot be used for HTTP.", "Try 127.0.0.1:8880.") }
        let access = WebAccess(hosts, token, isOpen: isLocal)
        let server = WebServer(
            service, webMessages, access, page: page, library: library, documents: documents,
            transcription: transcription)
        func link(_ host: String) -> String {
            "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/#token=\(token.secret)"
        }
        // A browser cannot open the unspecified address, so each link contains an address of this machine.
        let isUnspecified = ["0.0.0.0", "::"].contains(host)
        return ServedEndpoint(
            web: ConnectionServer.web(listener, server), server, link: link(isUnspecified ? "127.0.0.1" : host),
            elsewhere: isUnspecified ? OwnHost.address.map(link) : nil)
    }

    /// Returns the token from the given file, from the environment, or from the user's token file, which is created if
    /// necessary.
    private func token(state: String) throws -> AccessToken {
        if let path = arguments[Options.httpTokenFile] { return try AccessToken.given(in: path) }
        guard let text = context.environment["SYNTHHOST_HTTP_TOKEN"] else {
            return try AccessToken.kept(at: "\(state)/http-token")
        }
        if let token = AccessToken(text) { return token }
        throw CommandFailure(
            .usage, "The token in SYNTHHOST_HTTP_TOKEN is invalid.", SpeechError.Remedy.repairToken(.write).command)
    }

    private func listener(at address: SocketAddress) throws -> SocketListener {
        try rethrowing(SocketListener(address)) { CommandFailure($0, at: address) }
    }
}

extension CommandFailure {
    fileprivate init(_ failure: SocketError, at address: SocketAddress) {
        switch failure {
        case .inUse:
            if case .unix(let path) = address {
                self.init(
                    .unavailable, "Another program is using \(path).", "Pass a different path, or stop that program.")
                return
            }
            self.init(
                .unavailable, "Another program is using \(address).", "Pass a different port, or stop that program.")
        case .notSocket:
            self.init(
                .unavailable, "Cannot listen on \(address): a file with this name exists and is not a socket.",
                "Move the file out of the way, or pass a different path.")
        case .unknownHost:
            self.init(.usage, "\(address) is not an address of this machine.", "Try tcp://127.0.0.1:10200.")
        case .system(let error):
            self.init(.unavailable, "Cannot listen on \(address): \(error).", "Pass a different address.")
        // Opening an address does not cause these errors.
        case .late, .stopped, .otherProtocol, .tooLong, .malformed:
            self.init(.unavailable, "Cannot listen on \(address).", "Pass a different address.")
        }
    }
}

/// A server and its messages for the user.
struct ServedEndpoint {
    let connectionServer: ConnectionServer
    /// The messages for the user who started the service.
    let announcements: [String]
    /// A warning that other machines can reach the address, or nil if they cannot.
    let warning: String?
    /// The web server, or nil if the server does not use HTTP.
    var web: WebServer?

    init(wyoming connectionServer: ConnectionServer) {
        self.connectionServer = connectionServer
        announcements = ["Listening on \(connectionServer.address) for Wyoming clients."]
        warning =
            connectionServer.address.isLocal
            ? nil
            : "Any client that can reach \(connectionServer.address) can use speech and transcription, "
                + "because the Wyoming protocol has no authentication."
    }

    /// - Parameters:
    ///   - link: the link to the page.
    ///   - elsewhere: the link for other devices in the network, if they need a different one.
    init(web connectionServer: ConnectionServer, _ server: WebServer, link: String, elsewhere: String?) {
        self.connectionServer = connectionServer
        web = server
        announcements =
            ["Serving HTTP. To choose voices and listen, open \(link)"]
            + [elsewhere].compactMap { $0.map { "On another device in this network, open \($0)" } }
        warning =
            connectionServer.address.isLocal
            ? nil
            : "Other machines can reach this server. They need the token, but it is sent unencrypted. "
                + "On a network that you do not trust, use a TLS proxy."
    }
}
