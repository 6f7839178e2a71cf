import ModelStore
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// `synthhost models prune`: removes what no voice needs.
struct ModelsPruneCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle { cancellation.cancel() }
        let stock = try VoiceStock(context, arguments)
        let leftovers = stock.store.leftovers(stock.registry)
        let unknown = leftovers.filter { $0.kind == .unknown }
        var going = leftovers.filter { $0.kind == .waste }
        let isRemoving = !arguments[Options.dryRun]
        var takesUnknown = arguments[Options.unknown]
        if isRemoving, !takesUnknown, !unknown.isEmpty, !arguments[Options.json] {
            takesUnknown = try ask(about: unknown, cancellation)
        }
        if takesUnknown { going += unknown }
        var failure: CommandFailure?
        if isRemoving { (going, failure) = remove(going, stock) }
        try show(going, staying: takesUnknown ? [] : unknown, leftovers.filter { $0.kind == .foreign })
        if let failure { throw failure }
    }

    /// Whole voices that no registry names may have lost their registry, and nothing but that.
    private func ask(about unknown: [Leftover], _ cancellation: Cancellation) throws(CommandFailure) -> Bool {
        guard context.errors.style.isTerminal else { return false }
        let names = unknown.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
        let size = ByteCount.words(unknown.reduce(0) { $0 + $1.size })
        let answer = try Question(context, cancellation).ask {
            prompt throws(PromptError) in
            try prompt.confirm(
                "No registry knows \(names.joined(separator: ", ")) (\(size)). Remove what may be a voice?",
                default: false)
        }
        return answer ?? false
    }

    private func remove(_ leftovers: [Leftover], _ stock: VoiceStock) -> ([Leftover], CommandFailure?) {
        let (store, registry) = (stock.store, stock.registry)
        let result = AsyncWork.run(context, Cancellation()) { () -> Result<[Leftover], StoreError> in
            do throws(StoreError) {
                return .success(try await store.prune(leftovers, registry))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let removed): return (removed, nil)
        case .failure(let error):
            let left = Set(store.leftovers(registry).map(\.path))
            return (leftovers.filter { !left.contains($0.path) }, CommandFailure(error))
        }
    }

    private func show(
        _ going: [Leftover], staying unknown: [Leftover], _ foreign: [Leftover]
    ) throws(CommandFailure) {
        if arguments[Options.json] {
            return try context.print(
                try JSONText.line(
                    of: going.map { LeftoverResult($0, stays: false) }
                        + (unknown + foreign).map { LeftoverResult($0, stays: true) }))
        }
        for leftover in going {
            try context.print("\(leftover.path): \(leftover.reason), \(ByteCount.words(leftover.size))")
        }
        for leftover in foreign { context.say("\(leftover.path) stays: \(leftover.reason).") }
        for leftover in unknown {
            context.say(
                "\(leftover.path) stays: \(leftover.reason), and it is whole (\(ByteCount.words(leftover.size))).")
        }
        if !unknown.isEmpty {
            context.say("To remove what no registry knows, too, type: synthhost models prune --unknown")
        }
        let bytes = ByteCount.words(going.reduce(0) { $0 + $1.size })
        if going.isEmpty {
            if unknown.isEmpty, foreign.isEmpty { context.say("Every file is needed.") }
        } else {
            context.say(
                arguments[Options.dryRun]
                    ? "\(bytes) would be free again: synthhost models prune" : "\(bytes) are free again.")
        }
    }
}
