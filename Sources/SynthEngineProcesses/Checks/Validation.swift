package import SynthEngineWire
package import SynthSystem

/// Runs the checks for an engine or recognizer one after another, each in a separate process.
package struct Validation: Sendable {
    private let file: String
    private let voice: String?
    private let files: [HandedFile]
    private let allowed: [EngineNeed.Kind]
    private let process: CheckProcess

    /// The results of a run.
    package struct Report: Sendable {
        /// The engine's identity, or nil if the engine did not describe itself, or if the file was checked as a
        /// recognizer.
        package var engine: EngineIdentity?
        /// The recognizer's identity, or nil if the recognizer did not describe itself, or if the file was checked as
        /// an engine.
        package var recognizer: EngineIdentity?
        package var results: [Result] = []
        /// Whether the run was stopped early.
        package var wasStopped = false

        /// Returns the number of checks with this verdict.
        package func count(_ verdict: CheckVerdict) -> Int { results.count { $0.outcome.verdict == verdict } }
    }

    /// The outcome of one check.
    package struct Result: Equatable, Sendable {
        package var check: Check
        package var kind: PluginKind
        package var outcome: CheckOutcome

        /// The kind of plugin that was checked: "engine" or "recognizer".
        package var kindName: String { kind.rawValue }
    }

    /// - Parameters:
    ///   - program: the path of `synthhost-check`.
    ///   - file: the path of the engine or recognizer.
    ///   - voice: the ID of the voice to speak with or the model to transcribe with, or nil for the first usable voice or model.
    ///   - files: the files for the engine's roles.
    ///   - allowed: the permissions that the user grants the engine.
    ///   - limit: the time limit for each check.
    ///   - stop: signaled to end the run.
    package init(
        program: String, file: String, voice: String? = nil, files: [HandedFile] = [],
        allowing allowed: [EngineNeed.Kind] = [], limit: Duration = .seconds(60), stop: WakeUp
    ) {
        self.file = file
        self.voice = voice
        self.files = files
        self.allowed = allowed
        process = CheckProcess(program: program, limit: limit, stop: stop)
    }

    /// Returns the file's plugin kinds. A file that cannot be loaded is treated as an engine, so that its checks report
    /// the problem.
    package func kinds(waiting: () -> Void = {}) -> [PluginKind] {
        func loads(as kind: PluginKind) -> Bool {
            attempt(.check(.loadsWithRTLDNow), as: kind, waiting)?.outcome.verdict == .passed
        }
        guard loads(as: .recognizer) else { return [.engine] }
        return loads(as: .engine) ? [.engine, .recognizer] : [.recognizer]
    }

    /// Runs the checks that apply to this kind, in the given order. Blocks. All closures are called on the calling
    /// thread; `waiting` is called at least twice a second.
    package func run(
        _ checks: [Check], as kind: PluginKind = .engine, began: (Check) -> Void = { _ in }, waiting: () -> Void = {},
        ended: (Result) -> Void = { _ in }
    ) -> Report {
        var report = Report()
        for check in checks where check.kinds.contains(kind) {
            began(check)
            let obstacle = obstacle(to: check, kind, report)
            guard let outcome = obstacle ?? run(check, as: kind, &report, waiting) else {
                report.wasStopped = true
                return report
            }
            let result = Result(check: check, kind: kind, outcome: outcome)
            report.results.append(result)
            ended(result)
        }
        return report
    }

    /// Runs a batch of random requests. Returns nil if the batch was stopped.
    package func fuzz(
        seed: UInt64, as kind: PluginKind = .engine, waiting: () -> Void = {}
    ) -> CheckOutcome? {
        attempt(.fuzz(seed: seed), as: kind, waiting)?.outcome
    }

    /// Returns the outcome of a check that must be skipped, or nil if the check that it requires has passed or was not
    /// run.
    private func obstacle(to check: Check, _ kind: PluginKind, _ report: Report) -> CheckOutcome? {
        guard let requirement = check.requirement(of: kind),
            let earlier = report.results.first(where: { $0.check == requirement })
        else { return nil }
        switch earlier.outcome.verdict {
        case .passed, .warning: return nil
        case .skipped: return CheckOutcome(.skipped, earlier.outcome.detail)
        case .failed, .crashed: return CheckOutcome(.skipped, .requirement(requirement, earlier.outcome.verdict))
        }
    }

    private func run(
        _ check: Check, as kind: PluginKind, _ report: inout Report, _ waiting: () -> Void
    ) -> CheckOutcome? {
        var best: CheckOutcome?
        for _ in 0..<check.attempts {
            guard let answer = attempt(.check(check), as: kind, waiting) else { return nil }
            switch kind {
            case .engine: report.engine = report.engine ?? answer.engine
            case .recognizer: report.recognizer = report.recognizer ?? answer.engine
            }
            let outcome = answer.outcome
            switch outcome.verdict {
            case .passed, .crashed, .skipped: return outcome
            case .warning: best = outcome
            case .failed: best = best ?? outcome
            }
        }
        return best
    }

    private func attempt(
        _ task: CheckJob.Task, as kind: PluginKind, _ waiting: () -> Void
    ) -> CheckProcess.Report? {
        do {
            let scratch = try ScratchFolder()
            return withExtendedLifetime(scratch) {
                process.run(
                    CheckJob(
                        task, as: kind, file: file, folder: scratch.path, voice: voice, files: files,
                        allowing: allowed),
                    waiting: waiting)
            }
        } catch {
            return CheckProcess.Report(outcome: CheckOutcome(.skipped, .noFolder(error)))
        }
    }
}
