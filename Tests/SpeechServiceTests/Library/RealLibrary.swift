import Foundation
import SynthHost
import SynthSystem
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

/// A service for a new user on this machine, with the engine Tone and a server for the files of its voices. The voice
/// Nature has its own file, and the voices Left and Right share one.
final class RealLibrary {
    static let token = "a-token-of-the-tests"
    static let bearer = [(name: "Authorization", value: "Bearer \(token)")]
    /// The size of each file.
    static let size = 400_000

    let home: UserHome
    let server: LoopbackServer
    let service: SpeechService
    let library: ServiceLibrary
    private let door: ConnectionServer
    private let port: UInt16

    /// A file that contains a pitch. Only its first number is read, so the file can be of any size.
    private static func file(_ hertz: Int) -> [UInt8] {
        let text = Array("\(hertz)\n".utf8)
        return text + (0..<size - text.count).map { UInt8(truncatingIfNeeded: $0 &* 131 ^ $0 >> 7) }
    }

    /// - Parameter answer: Returns the server's response to the nth request for a file, starting at 1; nil for the correct
    ///   response.
    init(
        answer: @escaping @Sendable (_ file: [UInt8], LoopbackServer.Request, Int) -> LoopbackServer.Answer? = {
            _, _, _ in nil
        }
    )
        throws
    {
        let home = try UserHome()
        self.home = home
        let files = ["/nature.pitch": Self.file(330), "/duet.pitch": Self.file(200)]
        let asked = Monitor<[String: Int]>([:])
        let server = try LoopbackServer { request, _ in
            guard let file = files[request.path] else { return .init(status: 404) }
            let number = asked.update { asked in
                asked[request.path, default: 0] += 1
                return asked[request.path] ?? 0
            }
            return answer(file, request, number) ?? .init(file, to: request)
        }
        self.server = server
        func entry(_ name: String) throws -> [[String: Any]] {
            let bytes = files["/\(name)"] ?? []
            return [
                ["role": "pitch", "url": server.base + name, "size": bytes.count, "sha256": try Self.sha256(bytes)]
            ]
        }
        let registry: [String: Any] = [
            "models": [["id": "duet", "engine": "tone", "files": try entry("duet.pitch")]],
            "voices": [
                [
                    "id": "nature_1", "engine": "tone", "name": "Nature", "language": "en-GB", "starter": 1,
                    "files": try entry("nature.pitch"),
                ],
                ["id": "left_1", "engine": "tone", "name": "Left", "language": "en-US", "model": "duet"],
                ["id": "right_1", "engine": "tone", "name": "Right", "language": "en-US", "model": "duet"],
            ],
        ]
        try home.write(Array(try JSONSerialization.data(withJSONObject: registry)), to: "data/synthhost/models.json")
        let warm = WarmModels()
        let environment = home.environment
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: environment),
                folders: UserFolders(environment: environment), environment: environment
            ) {
                $0.childEnvironment = environment
                $0.limits = .patient
                $0.lanes = warm
            })
        let (service, library) = (SpeechService(host, warm), ServiceLibrary(host, warm))
        (self.service, self.library) = (service, library)
        let words = WebMessages(problem: { "\($0)" }, note: { _ in })
        let listener = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = listener.address, let token = AccessToken(Self.token),
            let hosts = HTTPHosts(port: port)
        else { throw Errno(22) }
        self.port = port
        door = ConnectionServer.web(
            listener,
            WebServer(
                service, words, WebAccess(hosts, token, isOpen: true), page: nil, library: library),
            WebServing.timeouts)
        startThread("door") { [door] in door.run() }
    }

    deinit {
        library.close()
        door.drain(until: .now)
        service.abandon()
        service.close()
    }

    func client() throws -> WebConversation {
        let client = try WebConversation(door.address)
        client.host = "127.0.0.1:\(port)"
        return client
    }

    func ask(_ method: String, _ path: String, body: String? = nil) throws -> WebReply {
        try client().ask(method, path, Self.bearer, body: body)
    }

    /// The paths of files in the store whose names end with a string, such as ".part".
    func stored(_ ending: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: home.file("data/synthhost/models"))?.allObjects as? [String]
        return (all ?? []).filter { $0.hasSuffix(ending) }
    }

    private static func sha256(_ bytes: [UInt8]) throws -> String {
        let program = try ChildProcess("/usr/bin/sha256sum", arguments: [], environment: [:], input: .pipe)
        try program.feed(bytes, last: true)
        return String(try program.finish().text.prefix(64))
    }
}
