package import EngineWire
package import System

/// Runs the checks of one engine, each in a process of its own, one after the other.
package struct Validation: Sendable {
    private let file: String
    private let voice: String?
    private let files: [HandedFile]
    private let allowed: [EngineNeed.Kind]
    private let process: CheckProcess

    /// The results.
    package struct Report: Sendable {
        package var engine: EngineIdentity?
        package var results: [Result] = []
        /// It was stopped before its end.
        package var wasStopped = false

        package func count(_ verdict: CheckVerdict) -> Int { results.count { $0.outcome.verdict == verdict } }
    }

    package struct Result: Equatable, Sendable {
        package var check: Check
        package var outcome: CheckOutcome
    }

    /// - Parameters:
    ///   - program: the path of `synthhost-check`.
    ///   - file: the engine.
    ///   - voice: the id of the voice that speaks; nil = the first that can.
    ///   - files: for the engine's roles.
    ///   - allowed: what the user allows the engine.
    ///   - limit: how long one check may take.
    ///   - stop: ends the run when it is signalled.
    package init(
        program: String, file: String, voice: String? = nil, files: [CheckFile] = [],
        allowing allowed: [EngineNeed.Kind] = [], limit: Duration = .seconds(60), stop: WakeUp
    ) {
        self.file = file
        self.voice = voice
        self.files = files.map { HandedFile(role: $0.role, path: $0.path) }
        self.allowed = allowed
        process = CheckProcess(program: program, limit: limit, stop: stop)
    }

    /// Runs the checks in the given order. Blocks until the end; all closures are called on this thread, `waiting` at
    /// least twice a second.
    package func run(
        _ checks: [Check], began: (Check) -> Void = { _ in }, waiting: () -> Void = {},
        ended: (Result) -> Void = { _ in }
    ) -> Report {
        var report = Report()
        for check in checks {
            began(check)
            let obstacle = obstacle(to: check, report)
            guard let outcome = obstacle ?? run(check, &report, waiting) else {
                report.wasStopped = true
                return report
            }
            let result = Result(check: check, outcome: outcome)
            report.results.append(result)
            ended(result)
        }
        return report
    }

    /// Runs one chunk of random requests; nil if it was stopped.
    package func fuzz(seed: UInt64, waiting: () -> Void = {}) -> CheckOutcome? {
        attempt(.fuzz(seed: seed), waiting)?.outcome
    }

    /// Why a check is skipped, if the check that it requires did not pass.
    private func obstacle(to check: Check, _ report: Report) -> CheckOutcome? {
        guard let requirement = check.requirement,
            let earlier = report.results.first(where: { $0.check == requirement })
        else { return nil }
        switch earlier.outcome.verdict {
        case .passed, .warning: return nil
        case .skipped: return CheckOutcome(.skipped, earlier.outcome.detail)
        case .failed, .crashed: return CheckOutcome(.skipped, .requirement(requirement, earlier.outcome.verdict))
        }
    }

    private func run(_ check: Check, _ report: inout Report, _ waiting: () -> Void) -> CheckOutcome? {
        var found: CheckOutcome?
        for _ in 0..<check.attempts {
            guard let answer = attempt(.check(check), waiting) else { return nil }
            report.engine = report.engine ?? answer.engine
            found = answer.outcome
            if answer.outcome.verdict != .warning { break }
        }
        return found
    }

    private func attempt(_ task: CheckJob.Task, _ waiting: () -> Void) -> CheckProcess.Report? {
        do {
            let scratch = try ScratchFolder()
            return withExtendedLifetime(scratch) {
                process.run(
                    CheckJob(task, file: file, folder: scratch.path, voice: voice, files: files, allowing: allowed),
                    waiting: waiting)
            }
        } catch {
            return CheckProcess.Report(outcome: CheckOutcome(.skipped, .noFolder(error)))
        }
    }
}

/// A file for a role of the engine that is checked, as the caller names it.
package struct CheckFile: Equatable, Sendable {
    package let role: String
    package let path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }
}
