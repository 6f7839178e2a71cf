import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem
import SynthWeb
import SynthWyoming

/// Where `serve` lets clients in.
struct ServeDoors {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let hearing: HearingService
    let library: ServiceLibrary
    let words: ServiceWords
    let webWords: WebWords

    /// The sockets that systemd listens at, else the socket of this user; and the addresses of the options.
    func open(_ host: LocalHost) throws -> [ServedDoor] {
        let inherited = SocketListener.inherited(context.environment)
        var doors = inherited.map {
            ServedDoor(
                wyoming: Door.wyoming(
                    $0, service, words, listing: listing, lendsLanes: $0.address.isUnix, hearing: hearing))
        }
        let (wyoming, http) = (arguments[all: Options.wyoming], arguments[all: Options.http])
        if inherited.isEmpty, let socket = host.folders.socket,
            let door = try own(socket, isNeeded: wyoming.isEmpty && http.isEmpty)
        {
            doors.append(ServedDoor(wyoming: door))
        }
        for address in wyoming {
            doors.append(
                ServedDoor(
                    wyoming: Door.wyoming(
                        try listener(at: address), service, words, listing: listing, hearing: hearing)))
        }
        if !http.isEmpty {
            let web = try ServeWeb(
                context, arguments, service, hearing, library, webWords, page: host.installation.page,
                documents: DocumentProgram(
                    path: host.installation.read, environment: context.childEnvironment,
                    within: service.limits.documentTime, by: host.programStarter), state: host.folders.state)
            for address in http { doors.append(try web.door(at: address, try listener(at: address))) }
        }
        guard doors.isEmpty else { return doors }
        throw CommandFailure(
            .usage, "There is nothing to serve: XDG_RUNTIME_DIR is not set, so there is no place for a socket.",
            "Name an address: --wyoming tcp://127.0.0.1:10200, or --http 127.0.0.1:8880")
    }

    /// Tells where clients find the doors.
    func announce(_ doors: [ServedDoor]) {
        for door in doors {
            if !arguments[Options.quiet], let text = door.announcement { context.say(text) }
            if let warning = door.warning { context.say(warning) }
        }
    }

    private var listing: WyomingListing { arguments[Options.listAll] ? .all : .usual }

    /// nil = another service has it, or something that is no socket, and there is something else to do.
    private func own(_ socket: String, isNeeded: Bool) throws -> Door? {
        makeFolder(of: socket)
        do {
            return Door.wyoming(
                try SocketListener(.unix(socket)), service, words, listing: listing, lendsLanes: true,
                hearing: hearing)
        } catch {
            let failure =
                error == .inUse
                ? CommandFailure(
                    .unavailable, "A service of yours listens at \(socket) already.",
                    "To see what it does, type: synthhost serve --status")
                : CommandFailure(error, at: .unix(socket))
            if isNeeded { throw failure }
            switch error {
            case .inUse: context.say("Another service of yours listens at \(socket), and goes on.")
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
                    .unavailable, "Another program listens at \(path).", "Name another path, or end that program.")
                return
            }
            self.init(
                .unavailable, "Another program listens at \(address).", "Name another port, or end that program.")
        case .notSocket:
            self.init(
                .unavailable, "Nothing can listen at \(address): something is there that is no socket.",
                "Move it away, or name another path.")
        case .unknownHost:
            self.init(.usage, "\(address) names no address of this machine.", "Try tcp://127.0.0.1:10200.")
        case .system(let error):
            self.init(.unavailable, "Nothing can listen at \(address): \(error).", "Name another address.")
        // Of connections, not of an address.
        case .late, .stopped, .otherProtocol, .tooLong, .malformed:
            self.init(.unavailable, "Nothing can listen at \(address).", "Name another address.")
        }
    }
}

/// A door with what is told of it.
struct ServedDoor {
    let door: Door
    /// For whoever started it; nil = nothing.
    let announcement: String?
    /// What to know of an address that other machines reach; nil = nothing.
    let warning: String?
    /// The server, if it speaks HTTP.
    var web: WebServer?

    init(wyoming door: Door) {
        self.door = door
        announcement = "Speaking at \(door.address) for Wyoming."
        warning =
            door.address.isLocal
            ? nil
            : "Everybody who reaches \(door.address) can have anything spoken and understood: "
                + "Wyoming knows no password."
    }

    /// - Parameter link: of the page.
    init(web door: Door, _ server: WebServer, link: String) {
        self.door = door
        web = server
        announcement = "Speaking over HTTP. To choose voices and to listen, open \(link)"
        warning =
            door.address.isLocal
            ? nil
            : "Other machines can reach \(door.address). They need the token, which everybody on the way can read: "
                + "on a network that you do not trust, put a proxy with TLS before it."
    }
}

/// The door of `serve` for HTTP.
struct ServeWeb {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let hearing: HearingService
    let library: ServiceLibrary
    let words: WebWords
    let page: PageFiles?
    let documents: DocumentProgram
    let token: AccessToken

    /// - Parameters:
    ///   - page: the folder with the page; nil = it is not installed.
    ///   - documents: what reads them.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ service: SpeechService, _ hearing: HearingService,
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

    /// The token of the file that was named, of the environment, or of this user.
    private static func token(
        _ context: CommandContext, _ arguments: ParsedArguments, state: String
    ) throws -> AccessToken {
        if let text = context.environment["SYNTHHOST_HTTP_TOKEN"], arguments[Options.httpTokenFile] == nil {
            if let token = AccessToken(text) { return token }
            throw CommandFailure(
                .usage, "The token of SYNTHHOST_HTTP_TOKEN cannot be used.",
                SpeechError.Remedy.repairToken(.write).command)
        }
        if let path = arguments[Options.httpTokenFile] { return try AccessToken.given(in: path) }
        return try AccessToken.kept(at: "\(state)/http-token")
    }

    func door(at address: SocketAddress, _ listener: SocketListener) throws -> ServedDoor {
        guard case .tcp(let host, let port) = listener.address,
            let hosts = HTTPHosts(
                port: port, names: arguments[all: Options.httpName], origins: arguments[all: Options.httpOrigin])
        else { throw CommandFailure(.usage, "\(address) is no address for HTTP.", "Try 127.0.0.1:8880.") }
        let access = WebAccess(hosts, token, isOpen: listener.address.isLocal)
        let server = WebServer(
            service, words, access, page: page, library: library, documents: documents, hearing: hearing)
        // A page is opened on this machine, whatever the address means for others.
        let shown = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        let place = shown.contains(":") ? "[\(shown)]" : shown
        return ServedDoor(
            web: Door.web(listener, server), server, link: "http://\(place):\(port)/#token=\(token.secret)")
    }
}
