import ModelStore
import SynthHost

/// `synthhost models prune`: removes what no voice needs.
struct ModelsPruneCommand {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let stock = try VoiceStock(context, arguments)
        let (store, registry) = (stock.store, stock.registry)
        let isRemoving = !arguments[Options.dryRun]
        let result = AsyncWork.run(Cancellation()) { () -> Result<[Leftover], StoreError> in
            do throws(StoreError) {
                return .success(try await store.prune(registry, removing: isRemoving))
            } catch {
                return .failure(error)
            }
        }
        let leftovers: [Leftover]
        switch result {
        case .success(let found): leftovers = found
        case .failure(let error): throw CommandFailure(error)
        }
        if arguments[Options.json] {
            return try context.print(try JSONText.line(of: leftovers.map(LeftoverResult.init)))
        }
        for leftover in leftovers {
            try context.print("\(leftover.path): \(leftover.reason), \(ByteCount.words(leftover.size))")
        }
        let bytes = ByteCount.words(leftovers.reduce(0) { $0 + $1.size })
        if leftovers.isEmpty {
            context.say("Every file is needed.")
        } else {
            context.say(
                isRemoving ? "\(bytes) are free again." : "\(bytes) would be free again: synthhost models prune")
        }
    }
}
