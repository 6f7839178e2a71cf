import SpeechServices
import SynthHost
import System

/// `synthhost serve --status`: what the service that runs does.
struct ServeStatus {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func show() throws(CommandFailure) {
        guard let socket = UserFolders(environment: context.environment).socket,
            let status = ResidentStatus(at: socket)
        else { throw CommandFailure(.unavailable, "No service of yours runs.", "To start one, type: synthhost serve") }
        try context.print(status.json)
    }
}
