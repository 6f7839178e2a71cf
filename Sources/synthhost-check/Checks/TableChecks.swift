import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire
import System

/// What the exported function returns.
enum TableChecks {
    static func unknownABI(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let library = try subject.library()
        subject.doing("synth_engine_entry was asked for an ABI of the future")
        for abi in [UInt32(SYNTH_ABI) + 1, .max] where library.table(abi: abi, host: ProbeHost.pointer) != nil {
            return .failed("It claims to speak version \(abi) of the interface, which does not exist.")
        }
        guard library.table(abi: UInt32(SYNTH_ABI), host: ProbeHost.pointer) != nil else {
            return .failed("After a question for a version that it lacks it no longer speaks version \(SYNTH_ABI).")
        }
        return .passed("It refuses versions that it does not know.")
    }

    static func completeness(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let library = try subject.library()
        subject.doing("synth_engine_entry ran")
        guard let answer = library.table(abi: UInt32(SYNTH_ABI), host: ProbeHost.pointer) else {
            return .failed("synth_engine_entry answers NULL to version \(SYNTH_ABI) of the interface.")
        }
        let size = Int(UnsafeRawPointer(answer).load(as: UInt32.self))
        guard size >= MemoryLayout<synth_engine>.size, size <= 1 << 16 else {
            return .failed(
                "struct_size of the table is \(size), and sizeof(synth_engine) is \(MemoryLayout<synth_engine>.size).")
        }
        do {
            subject.introduce(LoadedEngine(try LoadedTable(answer: answer), subject).identity)
        } catch {
            return CheckFinding(.failed, .refused(error, showsRemedy: false))
        }
        return .passed("All functions are there.")
    }

    static func scanTime(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let start = ContinuousClock.now
        let engine = try subject.engine()
        subject.doing("it listed roles and voices")
        let count = engine.roles().count + engine.voices().count
        let time = (ContinuousClock.now - start).milliseconds
        let measured = [Measurement("scan", time, "ms")]
        let words = "Loading and listing \(count) roles and voices took \(time.short) ms"
        return time > 100 ? .warning("\(words); 100 ms are enough.", measured) : .passed("\(words).", measured)
    }

    static func enumerationTime(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        subject.doing("it listed its voices")
        // The first listing may fill a cache; it is measured by scan-time.
        let count = engine.voices().count
        guard count > 0 else { return .skipped("It declares no voice.") }
        let start = ContinuousClock.now
        _ = engine.voices()
        let time = (ContinuousClock.now - start).milliseconds
        let measured = [Measurement("voices", Double(count)), Measurement("listing", time, "ms")]
        let allowed = 10 * max(1, Double(count) / 1000)
        let words = "Listing \(count) voices took \(time.short) ms"
        return time > allowed
            ? .warning("\(words); \(allowed.short) ms are enough.", measured) : .passed("\(words).", measured)
    }

    static func stability(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        let first = Snapshot(engine)
        guard Snapshot(engine) == first else {
            return .failed("Roles or voices read differently the second time.")
        }
        let session = try Session(subject, engine)
        try session.speakWhole()
        session.close()
        guard Snapshot(engine) == first else {
            return .failed("Roles or voices read differently after a model was loaded.")
        }
        return .passed("Table, roles and voices stay the same.")
    }

    /// All fields of the roles and voices.
    private struct Snapshot: Equatable {
        var roles: [[String?]] = []
        var voices: [[String?]] = []

        init(_ engine: LoadedEngine) {
            roles = engine.roles().map { [known($0.name), "\($0.scope) \($0.flags)"] }
            voices = engine.voices().map { voice in
                [
                    known(voice.id), known(voice.name), known(voice.language), known(voice.accent),
                    known(voice.licence), known(voice.model),
                    "\(voice.gender) \(voice.speaker_count) \(voice.source_count)",
                ]
            }
        }
    }
}
