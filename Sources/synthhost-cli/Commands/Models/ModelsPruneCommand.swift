import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost models prune`: removes files that no voice needs.
struct ModelsPruneCommand: Command {
    let context: CommandContext

    func run() throws {
        let cancellation = context.cancellation()
        let library = try context.library()
        let candidates = library.pruneCandidates
        let unknown = candidates.filter { $0.kind == .unknown }
        var removed = candidates.filter { $0.kind == .unneeded }
        let isRemoving = !arguments[Options.dryRun]
        var includesUnknown = arguments[Options.unknown]
        if isRemoving, !includesUnknown, !unknown.isEmpty, !arguments[Options.json] {
            includesUnknown = try ask(about: unknown, cancellation)
        }
        if includesUnknown { removed += unknown }
        var failure: CommandFailure?
        if isRemoving {
            let result = AsyncWork.run(context) { [removed] in await library.prune(removed) }
            (removed, failure) = (result.removed, result.failure.map { CommandFailure($0) })
        }
        try show(removed, staying: includesUnknown ? [] : unknown, candidates.filter { $0.kind == .foreign }, failure)
        if let failure { throw failure }
    }

    /// Asks whether to remove complete voices that no registry lists. The user may still want them, because the
    /// registry that used to list them may be missing.
    private func ask(about unknown: [PruneCandidate], _ cancellation: Cancellation) throws -> Bool {
        guard context.errors.style.isTerminal else { return false }
        let names = unknown.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
        let size = ByteCount.words(unknown.reduce(0) { $0 + $1.size })
        let answer = try Question(context: context, cancellation: cancellation).ask {
            prompt in
            try prompt.confirm(
                "No registry lists these files, which may belong to a voice: "
                    + "\(names.joined(separator: ", ")) (\(size)). Remove them?",
                default: false)
        }
        return answer ?? false
    }

    private func show(
        _ removed: [PruneCandidate], staying unknown: [PruneCandidate], _ foreign: [PruneCandidate],
        _ failure: CommandFailure?
    ) throws {
        if arguments[Options.json] {
            return try context.print(
                json: removed.map { $0.json(stays: false) } + (unknown + foreign).map { $0.json(stays: true) })
        }
        for candidate in removed {
            try context.print("\(candidate.path): \(candidate.reason.words), \(ByteCount.words(candidate.size))")
        }
        for candidate in foreign { context.printMessage("Kept \(candidate.path): \(candidate.reason.words).") }
        for candidate in unknown {
            context.printMessage(
                "Kept \(candidate.path): \(candidate.reason.words), and it is complete (\(ByteCount.words(candidate.size)))."
            )
        }
        if !unknown.isEmpty {
            context.printMessage(
                "To also remove voices that no registry lists, type: synthhost models prune --unknown")
        }
        let bytes = ByteCount.words(removed.reduce(0) { $0 + $1.size })
        if removed.isEmpty {
            if unknown.isEmpty, foreign.isEmpty, failure == nil { context.printMessage("All files are needed.") }
        } else {
            context.printMessage(
                arguments[Options.dryRun]
                    ? "\(bytes) would be freed. To free this space, type: synthhost models prune"
                    : "\(bytes) was freed.")
        }
    }
}

extension PruneCandidate {
    /// A candidate in `models prune --json`.
    fileprivate func json(stays: Bool) -> JSONMembers {
        ["path": path, "bytes": size, "reason": reason.words, "stays": stays]
    }
}
