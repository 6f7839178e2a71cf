import SynthDocuments
import SynthEngineProcesses
import SynthHost
import SynthHostTesting
import SynthModelStore
import SynthSystem
import TestSupport

@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWeb

/// An HTTP service on its own port, with voices that use a test's engine.
struct WebServing {
    static let token = "a-token-of-the-tests"

    /// The limits are long, because the machine may be busy.
    static let timeouts: HTTPConnection.Timeouts = {
        var timeouts = HTTPConnection.Timeouts()
        (timeouts.idle, timeouts.head, timeouts.bodyPause) = (.seconds(600), .seconds(600), .seconds(600))
        (timeouts.piece, timeouts.linger) = (.seconds(600), .seconds(600))
        return timeouts
    }()

    let double: TestBackend
    let service: SpeechService
    let server: WebServer
    let door: ConnectionServer
    let port: UInt16

    /// Runs the service during `body`.
    ///
    /// - Parameters:
    ///   - isOpen: Whether speech requires no token.
    ///   - origins: The other origins that may send requests.
    ///   - timeouts: The limits for slow clients.
    static func run<Value>(
        _ engine: TestEngine, _ limits: ServiceLimits = ServiceLimits(), isOpen: Bool = true, origins: [String] = [],
        page: PageFiles? = nil, library: TestBackend? = nil,
        documents: DocumentProgram? = nil, transcription: SpeechHost? = nil,
        timeouts: HTTPConnection.Timeouts = timeouts,
        lane: (@Sendable () -> any SpeakingLane)? = nil, _ body: (WebServing) throws -> Value
    ) throws -> Value {
        let double = TestBackend(engine, limits, lane: lane)
        let service = SpeechService(double, limits)
        defer { service.close() }
        let words = WebMessages(problem: { $0.code }, note: { _ in })
        let listener = try SocketListener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = listener.address, let token = AccessToken(token),
            let hosts = HTTPHosts(port: port, origins: origins)
        else { throw Errno(22) }
        // The server limits the number of incorrect tokens per minute. The clock is frozen, because a test may take
        // longer than a minute on a busy machine.
        let begin = ContinuousClock.now
        let server = WebServer(
            service, words, WebAccess(hosts, token, isOpen: isOpen) { begin }, page: page,
            library: library.map { ServiceLibrary(SpeechHost($0), double.warm) }, documents: documents,
            transcription: transcription.map { TranscriptionService($0, double.warm, limits) { service.noteUse() } })
        let door = ConnectionServer.web(listener, server, timeouts)
        startThread("door") { door.run() }
        defer { door.drain(until: .now) }
        return try body(
            WebServing(double: double, service: service, server: server, door: door, port: port))
    }

    /// The error for a download that failed because no server responded.
    static let networkFailure = SpeechError(
        StoreError.notDownloaded(
            DownloadFailure(file: "eve.bin", voice: "Eve", folder: "/voices/Eve", mirror: nil, .silent)))

    func client() throws -> WebConversation {
        let client = try WebConversation(door.address)
        client.host = "127.0.0.1:\(port)"
        return client
    }

    /// Returns the response to a request on a separate connection.
    func ask(
        _ method: String, _ path: String, _ headers: [(name: String, value: String)] = [], body: String? = nil
    ) throws -> WebReply { try client().ask(method, path, headers, body: body) }

    /// Returns the body of a request for the samples of the text.
    static func call(_ input: String, voice: String = "Ann", _ more: String = "") -> String {
        #"{"voice":"\#(voice)","response_format":"pcm","input":"\#(input)"\#(more)}"#
    }

    /// Returns the head of a request, without the empty line after it.
    func head(_ line: String, _ headers: String...) -> String {
        ([line, "Host: 127.0.0.1:\(port)"] + headers).map { "\($0)\r\n" }.joined()
    }

    static let bearer = [(name: "Authorization", value: "Bearer \(token)")]
}
