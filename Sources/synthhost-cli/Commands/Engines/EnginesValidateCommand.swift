import Glibc
import SynthCommandSyntax
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost engines validate`: runs the checks for authors of engines and recognizers.
struct EnginesValidateCommand: Command {
    let context: CommandContext

    func run() throws {
        let checks = chosenChecks()
        if arguments[ValidateOptions.list] { return try list(checks) }
        guard let file = arguments.positionals.first else {
            throw CommandFailure(
                .usage, "synthhost engines validate needs FILE.", "`synthhost engines validate --help` shows the usage."
            )
        }
        guard access(file, F_OK) == 0 else {
            throw CommandFailure(
                .inputMissing, "\(file) cannot be opened: \(Errno.last).",
                "Pass the .so file of an engine or a recognizer.")
        }
        let stop = try stopOnSignal()
        let validation = Validation(
            program: try context.installation().checkProgram(), file: file, voice: arguments[ValidateOptions.voice],
            files: arguments[all: ValidateOptions.file], allowing: allowed(file),
            limit: arguments[ValidateOptions.limit] ?? .seconds(60),
            stop: stop)
        if let seed = arguments[ValidateOptions.reproduce] {
            return try EnginesFuzz(context, validation, file: file).reproduce(seed)
        }
        if arguments[ValidateOptions.fuzz] { return try EnginesFuzz(context, validation, file: file).run() }
        try validate(file, checks, validation)
    }

    /// The permissions that the user has granted to the engine. An invalid configuration is reported but does not prevent the checks.
    private func allowed(_ file: String) -> [EngineListing.Allowed] {
        do {
            return try context.host(try context.configuration()).snapshot().host
                .allowed(ofFile: file)
        } catch {
            context.report(error)
            context.printMessage("The engine gets only the default permissions.")
            return []
        }
    }

    private func chosenChecks() -> [Check] {
        let include = arguments[ValidateOptions.include].flatMap { try? Regex($0) }
        let exclude = arguments[ValidateOptions.exclude].flatMap { try? Regex($0) }
        return Check.allCases.filter { check in
            (include.map { check.rawValue.contains($0) } ?? true)
                && !(exclude.map { check.rawValue.contains($0) } ?? false)
        }
    }

    private func list(_ checks: [Check]) throws {
        if arguments[Options.json] {
            return try context.print(json: checks.map(\.json))
        }
        var table = Table(columns: [.init("CHECK"), .init("FOR"), .init("DESCRIPTION")])
        for check in checks {
            let kinds = check.kindNames
            table.append([check.rawValue, kinds.count == 1 ? kinds[0] : "both", check.summary])
        }
        try context.print(text: table.render(for: context.output))
    }

    /// Makes Ctrl-C stop the current check: ends its process and removes its files.
    private func stopOnSignal() throws -> WakeUp {
        do {
            let stop = try WakeUp()
            context.interruption.handle { stop.signal() }
            return stop
        } catch {
            throw CommandFailure(.failure, "No file descriptors are available: \(error).")
        }
    }

    private func validate(_ file: String, _ checks: [Check], _ validation: Validation) throws {
        let wantsJSON = arguments[Options.json]
        var reports: [Validation.Report] = []
        for kind in validation.kinds() {
            let report = try run(checks, as: kind, validation)
            reports.append(report)
            let done = reports.reduce(0) { $0 + $1.results.count }
            guard !report.wasStopped else { throw CommandFailure(.interrupted, "Stopped after \(done) checks.") }
            if !wantsJSON { try context.print(summary(file, report)) }
        }
        if wantsJSON {
            let onlyFailed = arguments[ValidateOptions.onlyFailed]
            try context.print(json: json(file, reports, onlyFailed: onlyFailed))
        }
        func has(_ verdict: CheckVerdict) -> Bool { reports.contains { $0.count(verdict) > 0 } }
        if has(.crashed) { throw CommandFailure(.engineCrashed, nil) }
        if has(.failed) { throw CommandFailure(.failure, nil) }
    }

    /// The result of `engines validate --json`. An engine that did not describe itself is omitted.
    private func json(_ file: String, _ reports: [Validation.Report], onlyFailed: Bool) -> JSONMembers {
        func shown(_ identity: EngineIdentity) -> JSONMembers {
            ["id": identity.id, "name": identity.name, "version": identity.version]
        }
        let totals = CheckVerdict.allCases.map { verdict in
            (verdict.word, reports.reduce(0) { $0 + $1.count(verdict) })
        }
        let results = reports.flatMap(\.results).filter { !onlyFailed || $0.outcome.verdict.isWorthAttention }
        return [
            "file": file, "engine": reports.compactMap(\.engine).first.map(shown),
            "recognizer": reports.compactMap(\.recognizer).first.map(shown), "checks": results.map(\.json),
            "totals": Dictionary(uniqueKeysWithValues: totals),
        ]
    }

    private func run(
        _ checks: [Check], as kind: PluginKind, _ validation: Validation
    ) throws -> Validation.Report {
        let wantsJSON = arguments[Options.json]
        let reporter = context.reporter()
        defer { reporter.end() }
        var outputFailure: (any Error)?
        let report = validation.run(checks, as: kind) { check in
            reporter.begin("Checking \(check.rawValue)")
        } waiting: {
            reporter.tick()
        } ended: { result in
            reporter.end()
            let isShown = !arguments[ValidateOptions.onlyFailed] || result.outcome.verdict.isWorthAttention
            guard !wantsJSON, isShown, outputFailure == nil else { return }
            do { try context.print(drawn: line(of: result)) } catch { outputFailure = error }
        }
        if let outputFailure { throw outputFailure }
        return report
    }

    private func line(of result: Validation.Result) -> String {
        let widest = Check.allCases.map(\.rawValue.count).max() ?? 0
        let verdict = result.outcome.verdict
        let word = DisplayWidth.pad(verdict.word, to: 9)
        let name = DisplayWidth.pad(result.check.rawValue, to: widest + 2)
        let emphasized = verdict.emphasis.map { context.output.style.emphasize(word, as: $0) } ?? word
        return emphasized + name + CleanText.line(result.outcome.words)
    }

    private func summary(_ file: String, _ report: Validation.Report) -> String {
        let name = (report.engine ?? report.recognizer).map { "\($0.name) \($0.version)" } ?? file
        let counts = CheckVerdict.allCases.map { "\($0.word) \(report.count($0))" }
        return "\(name): \(counts.joined(separator: ", "))"
    }
}

extension CheckVerdict {
    /// Whether `--only-failed` shows this verdict.
    var isWorthAttention: Bool { self == .failed || self == .crashed || self == .warning }

    fileprivate var emphasis: Emphasis? {
        switch self {
        case .passed: .success
        case .warning: .warning
        case .failed, .crashed: .failure
        case .skipped: .faint
        }
    }
}

extension Validation.Result {
    /// A check in `engines validate --json`. `refused` lists all refused calls, and `detail` only the first few.
    fileprivate var json: JSONMembers {
        let measurements = outcome.measurements.map { figure -> JSONMembers in
            ["name": figure.name, "value": figure.value, "unit": figure.unit]
        }
        return [
            "id": check.rawValue, "kind": kindName, "verdict": outcome.verdict.word, "detail": outcome.words,
            "measurements": measurements, "refused": outcome.refused,
        ]
    }
}

extension Check {
    /// A check in `engines validate --list --json`.
    fileprivate var json: JSONMembers { ["id": rawValue, "kinds": kindNames, "description": summary] }
}
