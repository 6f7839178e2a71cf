import Glibc
import TestSupport

/// `synthhost speak`, which plays on an audio device and uses the engines of a service.
final class ChaosResident: ChaosFrontEnd {
    private let server: ChildProcess
    private let speak: ChaosSpeak

    init(_ home: UserHome) throws {
        let variables: [String: String?] = ["XDG_RUNTIME_DIR": home.path]
        server = try home.start(["serve"], adding: variables)
        try server.waitForErrors("Listening on unix:")
        speak = ChaosSpeak(home, adding: variables)
    }

    var process: Int32? { server.identifier }

    func speak(_ text: String, fails: Bool) throws -> LegibleSound { try speak.speak(text, fails: fails) }

    func end() throws {
        server.signal(SIGTERM)
        let result = try server.finish(within: .seconds(300))
        guard result.code == 0 else {
            throw ChaosProblem(description: "The program exited with \(result): \(result.errors)")
        }
    }
}
