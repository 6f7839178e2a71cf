import SynthBooks
import SynthCommandSyntax

extension BookShard {
    /// Returns the shard from the command line or the scheduler's job array, or nil if this process makes the entire book.
    static func asked(_ context: CommandContext) throws -> BookShard? {
        if context.arguments[Options.join] { return nil }
        if let shard = context.arguments[Options.shard] { return shard.count == 1 ? nil : shard }
        switch JobArray(context.environment) {
        case .none: return nil
        case .share(let shard): return shard.count == 1 ? nil : shard
        case .unusable(let names):
            throw CommandFailure(
                .usage,
                "\(names) do not define a shard: the task numbers must be consecutive, and the task count must be set.",
                "Specify the shard, for example: --shard 2/8. To process everything in this job, use: --shard 1/1")
        }
    }
}

/// The shard of a book, as assigned by a Slurm or Kubernetes job array.
private enum JobArray {
    /// This process is not part of a job array.
    case none
    case share(BookShard)
    /// The variables with these names do not define a valid shard.
    case unusable(String)

    init(_ environment: [String: String]) {
        func number(_ name: String) -> Int? {
            environment[name].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
        if environment["SLURM_ARRAY_TASK_ID"] != nil {
            let first = number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1)
            let shard = number("SLURM_ARRAY_TASK_ID").flatMap { task in
                number("SLURM_ARRAY_TASK_COUNT").flatMap { BookShard(number: (task - first) / step + 1, count: $0) }
            }
            self = shard.map(Self.share) ?? .unusable("SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT")
        } else if environment["JOB_COMPLETION_INDEX"] != nil {
            let shard = number("JOB_COMPLETION_INDEX").flatMap { index in
                number("JOB_COMPLETION_COUNT").flatMap { BookShard(number: index + 1, count: $0) }
            }
            self = shard.map(Self.share) ?? .unusable("JOB_COMPLETION_INDEX and JOB_COMPLETION_COUNT")
        } else {
            self = .none
        }
    }
}
