import SynthBooks
import SynthCommandSyntax

extension BookShard {
    /// Returns the shard from the command line or the job array of Slurm or Kubernetes, or nil if this process creates
    /// the entire book or joins the shards.
    static func asked(_ context: CommandContext) throws -> BookShard? {
        if context.arguments[Options.join] { return nil }
        if let shard = context.arguments[Options.shard] { return shard.count == 1 ? nil : shard }
        let environment = context.environment
        func number(_ name: String) -> Int? {
            environment[name].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
        let (task, count): (String, String)
        var (first, step) = (0, 1)
        if environment["SLURM_ARRAY_TASK_ID"] != nil {
            (task, count) = ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT")
            (first, step) = (number("SLURM_ARRAY_TASK_MIN") ?? 0, max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1))
        } else if environment["JOB_COMPLETION_INDEX"] != nil {
            (task, count) = ("JOB_COMPLETION_INDEX", "JOB_COMPLETION_COUNT")
        } else {
            return nil
        }
        guard let index = number(task), let total = number(count),
            let shard = BookShard(number: (index - first) / step + 1, count: total)
        else {
            throw CommandFailure(
                .usage,
                "\(task) and \(count) do not define a shard: the task numbers must be consecutive, and the task count must be set.",
                "Specify the shard, for example: --shard 2/8. To process everything in this job, use: --shard 1/1")
        }
        return shard.count == 1 ? nil : shard
    }
}
