import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthWyoming

/// The lanes of a resident service for a command that speaks, and the messages of `--verbose` about them. Any thread may use it.
final class ServiceUse: Sendable {
    private struct State {
        var lines: [String] = []
        var tell: (@Sendable (String) -> Void)?
    }
    private let state = Monitor(State())

    /// The host of a command. It speaks through the service of this user if one is running with the same settings.
    ///
    /// - Parameter isAwaited: a listener waits, which is more urgent than a file.
    func host(
        _ context: CommandContext, _ arguments: ParsedArguments, _ configuration: Configuration, isAwaited: Bool
    ) throws -> LocalHost {
        guard let socket = UserFolders(environment: context.environment).socket else {
            return try context.host(arguments, configuration)
        }
        return try context.host(arguments, configuration) { identity in
            ResidentLanes(at: socket, identity, isAwaited ? .normal : .background) { self.add($0, socket) }
        }
    }

    /// Sends the messages so far, and all later ones, to the closure.
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
