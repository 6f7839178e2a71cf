import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// Checks the table that the exported function returns.
enum TableChecks {
    static func unknownABI(_ subject: Subject) throws -> CheckFinding {
        let library = try subject.library()
        let kind = subject.job.kind
        subject.step("\(kind.entry) was called with an unknown ABI")
        let host = ProbeHost.pointer
        for abi in [kind.abi + 1, .max] where library.table(as: kind, abi: abi, host: host) != nil {
            return .failed("It claims to support version \(abi) of the interface, which does not exist.")
        }
        guard library.table(as: kind, abi: kind.abi, host: host) != nil else {
            return .failed("After a call with an unknown version, it no longer supports version \(kind.abi).")
        }
        return .passed("It rejects unknown versions.")
    }

    static func completeness(_ subject: Subject) throws -> CheckFinding {
        let library = try subject.library()
        let kind = subject.job.kind
        subject.step("\(kind.entry) ran")
        guard let answer = library.table(as: kind, abi: kind.abi, host: ProbeHost.pointer) else {
            return .failed("\(kind.entry) returns NULL for version \(kind.abi) of the interface.")
        }
        let size = Int(answer.load(as: UInt32.self))
        let (name, wanted) =
            switch kind {
            case .engine: ("synth_engine", MemoryLayout<synth_engine>.size)
            case .recognizer: ("synth_recognizer", MemoryLayout<synth_recognizer>.size)
            }
        guard size >= wanted, size <= 1 << 16 else {
            return .failed("struct_size of the table is \(size), but sizeof(\(name)) is \(wanted).")
        }
        do {
            switch kind {
            case .engine:
                let table = try LoadedTable(answer: answer.assumingMemoryBound(to: synth_engine.self))
                subject.reportIdentity(table.identity)
            case .recognizer:
                let table = try LoadedTable(answer: answer.assumingMemoryBound(to: synth_recognizer.self))
                subject.reportIdentity(table.identity)
            }
        } catch {
            return CheckFinding(.failed, .refused(error, showsRemedy: false))
        }
        return .passed("All functions exist.")
    }

    static func scanTime(_ subject: Subject) throws -> CheckFinding {
        let start = ContinuousClock.now
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voices" : "models"
        subject.step("listing roles and \(noun)")
        let count = plugin.roles().count + plugin.items().count
        let time = (ContinuousClock.now - start).milliseconds
        let measured = [Measurement("scan", time, "ms")]
        let words = "Loading it and listing \(count) roles and \(noun) took \(time.short) ms"
        return time > 100 ? .warning("\(words); the target is 100 ms.", measured) : .passed("\(words).", measured)
    }

    static func enumerationTime(_ subject: Subject) throws -> CheckFinding {
        let engine = try LoadedEngine(subject)
        subject.step("listing its voices")
        // The first listing may fill a cache. The check `scan-time` measures how long it takes.
        let count = engine.voices().count
        guard count > 0 else { return .skipped("It declares no voices.") }
        let start = ContinuousClock.now
        _ = engine.voices()
        let time = (ContinuousClock.now - start).milliseconds
        let measured = [Measurement("voices", Double(count)), Measurement("listing", time, "ms")]
        let allowed = 10 * max(1, Double(count) / 1000)
        let words = "Listing \(count) voices took \(time.short) ms"
        return time > allowed
            ? .warning("\(words); the target is \(allowed.short) ms.", measured) : .passed("\(words).", measured)
    }

    static func stability(_ subject: Subject) throws -> CheckFinding {
        let plugin = try subject.plugin()
        let noun = subject.job.kind == .engine ? "voices" : "models"
        let first = snapshot(plugin)
        guard snapshot(plugin) == first else {
            return .failed("Roles or \(noun) differ when they are listed a second time.")
        }
        let trial = try plugin.trial()
        try trial.work()
        trial.close()
        guard snapshot(plugin) == first else {
            return .failed("Roles or \(noun) differ after a model was loaded.")
        }
        return .passed("The table, roles and \(noun) do not change.")
    }

    /// Returns all fields of the roles and of the voices or models.
    private static func snapshot(_ plugin: any Plugin) -> [[String?]] {
        plugin.roles().map { [known($0.name), "\($0.scope) \($0.flags)"] } + plugin.items().map(\.fields)
    }
}
