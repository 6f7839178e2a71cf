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
struct ServeEndpoints {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let hearing: TranscriptionService
    let library: ServiceLibrary
    let words: ServiceMessages
    let webWords: WebWords

    /// Listens on systemd's sockets or else on this user's socket, and on the addresses from the options.
    func open(_ host: SpeechHost) throws -> [ServedEndpoint] {
        let machine = host.snapshot().host
        let inherited = SocketListener.inherited(context.environment)
        var doors = inherited.map {
            ServedEndpoint(
                wyoming: ConnectionServer.wyoming(
                    $0, service, words, listing: listing, lendsLanes: $0.address.isUnix, hearing: hearing))
        }
        let (wyoming, http) = (arguments[all: Options.wyoming], arguments[all: Options.http])
        if inherited.isEmpty, let socket = machine.folders.socket,
            let door = try own(socket, isNeeded: wyoming.isEmpty && http.isEmpty)
        {
            doors.append(ServedEndpoint(wyoming: door))
        }
        for address in wyoming {
            doors.append(
                ServedEndpoint(
                    wyoming: ConnectionServer.wyoming(
                        try listener(at: address), service, words, listing: listing, hearing: hearing)))
        }
        if !http.isEmpty {
            let web = try ServeWeb(
                context, arguments, service, hearing, library, webWords, page: machine.installation.page,
                documents: DocumentProgram(
                    path: machine.installation.read, environment: context.childEnvironment,
                    within: service.limits.documentTime, by: machine.programStarter), state: machine.folders.state)
            for address in http { doors.append(try web.door(at: address, try listener(at: address))) }
        }
        guard doors.isEmpty else { return doors }
        throw CommandFailure(
            .usage, "The service has no address: XDG_RUNTIME_DIR is not set, so it cannot create its socket.",
            "Pass an address: --wyoming tcp://127.0.0.1:10200, or --http 127.0.0.1:8880")
    }

    /// Prints the addresses of the servers.
    func announce(_ doors: [ServedEndpoint]) {
        for door in doors {
            if !arguments[Options.quiet], let text = door.announcement { context.say(text) }
            if let warning = door.warning { context.say(warning) }
        }
    }

    private var listing: WyomingListing { arguments[Options.listAll] ? .all : .usual }

    /// Opens this user's socket. Returns nil if the path is already in use and there are other addresses to serve.
    private func own(_ socket: String, isNeeded: Bool) throws -> ConnectionServer? {
        makeFolder(of: socket)
        do {
            return ConnectionServer.wyoming(
                try SocketListener(.unix(socket)), service, words, listing: listing, lendsLanes: true,
                hearing: hearing)
        } catch {
            let failure =
                error == .inUse
                ? CommandFailure(
                    .unavailable, "Your service is already running at \(socket).",
                    "To see its status, type: synthhost serve --status")
                : CommandFailure(error, at: .unix(socket))
            if isNeeded { throw failure }
            switch error {
            case .inUse: context.say("Your other service keeps running at \(socket).")
            case .notSocket: context.report(failure)
            default: throw failure
            }
            return nil
        }
    }

    private func listener(at address: SocketAddress) throws -> SocketListener {
        do {
            return try SocketListener(address)
        } catch {
            throw CommandFailure(error, at: address)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ failure: SocketError, at address: SocketAddress) {
        switch failure {
        case .inUse:
            if case .unix(let path) = address {
                self.init(
                    .unavailable, "Another program is using \(path).", "Pass another path, or stop that program.")
                return
            }
            self.init(
                .unavailable, "Another program is using \(address).", "Pass another port, or stop that program.")
        case .notSocket:
            self.init(
                .unavailable, "Cannot listen on \(address): a file with this name exists and is not a socket.",
                "Move it away, or pass another path.")
        case .unknownHost:
            self.init(.usage, "\(address) is not an address of this machine.", "Try tcp://127.0.0.1:10200.")
        case .system(let error):
            self.init(.unavailable, "Cannot listen on \(address): \(error).", "Pass another address.")
        // These errors do not occur while opening an address.
        case .late, .stopped, .otherProtocol, .tooLong, .malformed:
            self.init(.unavailable, "Cannot listen on \(address).", "Pass another address.")
        }
    }
}

/// A server with its messages.
struct ServedEndpoint {
    let door: ConnectionServer
    /// The message for the user who started the service, or nil if there is none.
    let announcement: String?
    /// A warning that other machines can reach the address, or nil if they cannot.
    let warning: String?
    /// The web server, or nil if the server does not use HTTP.
    var web: WebServer?

    init(wyoming door: ConnectionServer) {
        self.door = door
        announcement = "Listening on \(door.address) for Wyoming clients."
        warning =
            door.address.isLocal
            ? nil
            : "Every client that reaches \(door.address) can use speech and transcription, "
                + "because Wyoming has no password."
    }

    /// - Parameter link: the link to the page.
    init(web door: ConnectionServer, _ server: WebServer, link: String) {
        self.door = door
        web = server
        announcement = "Serving HTTP. To choose voices and listen, open \(link)"
        warning =
            door.address.isLocal
            ? nil
            : "Other machines can reach \(door.address). They need the token, but it is sent without encryption: "
                + "on a network that you do not trust, use a proxy with TLS."
    }
}

/// The HTTP server of `serve`.
struct ServeWeb {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let hearing: TranscriptionService
    let library: ServiceLibrary
    let words: WebWords
    let page: PageFiles?
    let documents: DocumentProgram
    let token: AccessToken

    /// - Parameters:
    ///   - page: the folder with the page's files, or nil if the page is not installed.
    ///   - documents: the document reader.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ service: SpeechService,
        _ hearing: TranscriptionService,
        _ library: ServiceLibrary, _ words: WebWords, page: String?, documents: DocumentProgram, state: String
    ) throws {
        self.context = context
        self.arguments = arguments
        self.service = service
        self.hearing = hearing
        self.library = library
        self.words = words
        self.documents = documents
        token = try Self.token(context, arguments, state: state)
        self.page = try page.map { folder in try PageFiles(folder: folder) }
    }

    /// Returns the token from the given file, from the environment, or from the user's stored token file.
    private static func token(
        _ context: CommandContext, _ arguments: ParsedArguments, state: String
    ) throws -> AccessToken {
        if let text = context.environment["SYNTHHOST_HTTP_TOKEN"], arguments[Options.httpTokenFile] == nil {
            if let token = AccessToken(text) { return token }
            throw CommandFailure(
                .usage, "The token in SYNTHHOST_HTTP_TOKEN is invalid.",
                SpeechError.Remedy.repairToken(.write).command)
        }
        if let path = arguments[Options.httpTokenFile] { return try AccessToken.given(in: path) }
        return try AccessToken.kept(at: "\(state)/http-token")
    }

    func door(at address: SocketAddress, _ listener: SocketListener) throws -> ServedEndpoint {
        guard case .tcp(let host, let port) = listener.address,
            let hosts = HTTPHosts(
                port: port, names: arguments[all: Options.httpName], origins: arguments[all: Options.httpOrigin])
        else { throw CommandFailure(.usage, "\(address) cannot be used for HTTP.", "Try 127.0.0.1:8880.") }
        let access = WebAccess(hosts, token, isOpen: listener.address.isLocal)
        let server = WebServer(
            service, words, access, page: page, library: library, documents: documents, hearing: hearing)
        // The page is opened on this machine, even if the address is for other machines.
        let shown = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        let place = shown.contains(":") ? "[\(shown)]" : shown
        return ServedEndpoint(
            web: ConnectionServer.web(listener, server), server, link: "http://\(place):\(port)/#token=\(token.secret)")
    }
}
