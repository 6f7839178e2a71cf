import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthWyoming

/// Tracks whether a command uses the lanes of the running service, for `--verbose`. Thread-safe.
final class ServiceUse: Sendable {
    private struct State {
        var lines: [String] = []
        var tell: (@Sendable (String) -> Void)?
    }
    private let state = Monitor(State())

    /// Returns the host for a command. It uses this user's service if one is running with the same settings.
    ///
    /// - Parameter isAwaited: whether a person is listening, which is more urgent than writing a file.
    func host(
        _ context: CommandContext, _ arguments: ParsedArguments, _ configuration: Configuration, isAwaited: Bool
    ) throws -> SpeechHost {
        guard let socket = UserFolders(environment: context.environment).socket else {
            return try context.host(arguments, configuration)
        }
        return try context.host(arguments, configuration) { setup in
            setup.lanes = ResidentLanes(at: socket, setup.identity, isAwaited ? .normal : .background) {
                self.add($0, socket)
            }
        }
    }

    /// Passes all past and future messages to the closure.
    func tell(_ tell: (@Sendable (String) -> Void)?) {
        guard let tell else { return }
        let lines = state.update { state in
            state.tell = tell
            return state.lines
        }
        for line in lines { tell(line) }
    }

    private func add(_ use: ResidentLanes.Use, _ socket: String) {
        let line =
            switch use {
            case .service: "Speaking through the service at \(socket)."
            case .own(let differing) where differing.isEmpty: "The service at \(socket) does not have this engine."
            case .own(let differing):
                "The service at \(socket) would speak differently (\(differing.joined(separator: "; ")))."
            case .lost: "The service at \(socket) has exited; this program continues without it."
            }
        let tell = state.update { state in
            if state.tell == nil { state.lines.append(line) }
            return state.tell
        }
        tell?(line)
    }
}
