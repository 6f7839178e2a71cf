import LocatedJSON
import SpeechServices
import SynthHost
import System

/// The door of `serve` for HTTP.
struct ServeWeb {
    let context: CommandContext
    let arguments: ParsedArguments
    let service: SpeechService
    let library: ServiceLibrary
    let words: ServiceWords
    let page: PageFiles?
    let token: AccessToken

    /// - Parameter page: the folder with the page; nil = it is not installed.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, _ service: SpeechService, _ library: ServiceLibrary,
        _ words: ServiceWords,
        page: String?, state: String
    ) throws(CommandFailure) {
        self.context = context
        self.arguments = arguments
        self.service = service
        self.library = library
        self.words = words
        token = try Self.token(context, arguments, state: state)
        do throws(PageFailure) {
            self.page = try page.map { folder throws(PageFailure) in try PageFiles(folder: folder) }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The token of the file that was named, of the environment, or of this user.
    private static func token(
        _ context: CommandContext, _ arguments: ParsedArguments, state: String
    ) throws(CommandFailure) -> AccessToken {
        if let text = context.environment["SYNTHHOST_HTTP_TOKEN"], arguments[Options.httpTokenFile] == nil {
            if let token = AccessToken(text) { return token }
            throw CommandFailure(
                .usage, "The token of SYNTHHOST_HTTP_TOKEN cannot be used.", AccessToken.expectation)
        }
        do throws(AccessToken.Failure) {
            if let path = arguments[Options.httpTokenFile] { return try AccessToken.given(in: path) }
            return try AccessToken.kept(at: "\(state)/http-token")
        } catch {
            throw CommandFailure(error)
        }
    }

    func door(at address: SocketAddress, _ listener: SocketListener) throws(CommandFailure) -> ServedDoor {
        guard case .tcp(let host, let port) = listener.address,
            let hosts = HTTPHosts(
                port: port, names: arguments[all: Options.httpName], origins: arguments[all: Options.httpOrigin])
        else { throw CommandFailure(.usage, "\(address) is no address for HTTP.", "Try 127.0.0.1:8880.") }
        let access = WebAccess(hosts, token, isOpen: listener.address.isLocal)
        let server = WebServer(service, words, access, page: page, library: library)
        // A page is opened on this machine, whatever the address means for others.
        let shown = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
        let place = shown.contains(":") ? "[\(shown)]" : shown
        return ServedDoor(
            web: Door.web(listener, server), server, link: "http://\(place):\(port)/#token=\(token.secret)")
    }
}

extension CommandFailure {
    init(_ failure: AccessToken.Failure) {
        switch failure {
        case .file(let path, let reason):
            self.init(
                .failure, "The file of the token, \(path), cannot be used: \(reason).",
                "Name another one with --http-token-file FILE, or set SYNTHHOST_HTTP_TOKEN.")
        case .notOurs(let path):
            self.init(
                .failure, "The file of the token, \(path), belongs to another user.",
                "Give it to the user that serves, or name another file with --http-token-file FILE.")
        case .notSecret(let path, _):
            self.init(
                .failure, "Others can read the token in \(path).",
                "Type: chmod 600 \(Wording.quoted(path)) — or remove it, and a new one is made.")
        case .noToken(let path): self.init(.usage, "There is no token in \(path).", AccessToken.expectation)
        }
    }
}

extension AccessToken {
    /// What a token must be, as a remedy.
    static let expectation =
        "It must have \(shortest) to \(longest) letters, digits and signs of -._~+/, on one line: openssl rand -hex 32"
}

extension CommandFailure {
    init(_ failure: PageFailure) {
        switch failure {
        case .missing(let path):
            self.init(.failure, "\(path), a part of the page, is missing.", "Install synthhost again.")
        case .notRead(let path, let reason):
            self.init(.failure, "\(path), a part of the page, cannot be read: \(reason).", "Look at its permissions.")
        case .notJSON(let path, let error):
            self.init(
                .failure, "\(path), line \(error.line), is not JSON: \(error.reason).",
                "Correct it, or install synthhost again.")
        }
    }
}
