import SpeechServices
import SynthHost
import System

/// `synthhost serve`: speaks for other programs until a signal ends it.
struct ServeCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let addresses = arguments[all: Options.wyoming]
        if addresses.isEmpty {
            throw CommandFailure(
                .usage, "There is nothing to serve.", "Name an address: --wyoming tcp://127.0.0.1:10200")
        }
        let host = try context.host(arguments, try context.configuration(arguments))
        defer { host.abandonEngines() }
        let service = SpeechService(host)
        let doors = try addresses.map { address throws(CommandFailure) in
            do throws(SocketListener.Failure) {
                return try Door.wyoming(address, service, words)
            } catch {
                throw CommandFailure(error, at: address)
            }
        }
        for door in doors { announce(door.address) }
        cancellation.set { for door in doors { door.stop() } }
        let closed = Monitor(0)
        for door in doors {
            let isRunning = startThread("door") {
                door.run()
                closed.update { $0 += 1 }
            }
            if !isRunning { throw CommandFailure(.failure, "The system has no thread left.", "Try again later.") }
        }
        _ = closed.wait { $0 == doors.count ? true : nil }
        let deadline = ContinuousClock.now + .seconds(arguments[Options.drain] ?? 5)
        for door in doors { door.drain(until: deadline) }
    }

    private func announce(_ address: SocketAddress) {
        if !arguments[Options.quiet] { context.say("Speaking at \(address) for Wyoming.") }
        if !address.isLocal {
            context.say(
                "Everybody who reaches \(address) can have anything spoken: Wyoming knows no password.")
        }
    }

    private var words: ServiceWords {
        ServiceWords(
            version: context.version, malformed: "This is no event of Wyoming.", tooLong: "The text is too long.",
            sentence: { CommandFailure($0).message ?? "Nothing could be spoken." },
            code: { CommandFailure($0).code.word },
            note: { [context, isQuiet = arguments[Options.quiet]] notice in
                if !isQuiet { context.say(notice.sentence) }
            })
    }
}

extension CommandFailure {
    fileprivate init(_ failure: SocketListener.Failure, at address: SocketAddress) {
        switch failure {
        case .inUse:
            if case .unix(let path) = address {
                self.init(
                    .unavailable, "\(path) is there already: another program listens at it, or it is no socket.",
                    "Name another path, or end that program.")
                return
            }
            self.init(
                .unavailable, "Another program listens at \(address).", "Name another port, or end that program.")
        case .unknownHost:
            self.init(.usage, "\(address) names no address of this machine.", "Try tcp://127.0.0.1:10200.")
        case .system(let error):
            self.init(.unavailable, "Nothing can listen at \(address): \(error).", "Name another address.")
        }
    }
}

extension ExitCode {
    /// For programs.
    fileprivate var word: String {
        switch self {
        case .usage: "usage"
        case .unavailable: "unavailable"
        case .engineCrashed: "engine-crashed"
        case .tryAgain: "try-again"
        default: "failure"
        }
    }
}
