import EngineChecks
import EngineLoading
import EngineWire

/// The file, before any of its code runs and while it is loaded.
enum FileChecks {
    static func trust(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        do {
            let file = try TrustedFile(path: subject.job.file)
            try file.checkTrust()
            try file.checkFormat()
            try file.checkLibraries()
            return .passed("Nobody but its owner may write it, or what it loads.")
        } catch {
            return .failed(error)
        }
    }

    static func loading(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        subject.doing("the file was loaded")
        do {
            _ = try EngineLibrary(path: subject.job.file)
            return .passed("All its symbols and libraries are found.")
        } catch {
            return .failed(error)
        }
    }

    static func exports(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        guard let symbols = DynamicSymbols(file: subject.job.file) else {
            return .skipped("The list of its sections was removed, so its symbols cannot be read.")
        }
        let surplus = symbols.exported.filter { $0 != "synth_engine_entry" && !isOfCompiler($0) }.sorted()
        if surplus.isEmpty { return .passed("It exports synth_engine_entry and nothing else that has a name in C.") }
        let more = surplus.count > 3 ? " and \(surplus.count - 3) more" : ""
        return .warning(
            "It also exports \(surplus.prefix(3).joined(separator: ", "))\(more); "
                + "make them static, or build with -fvisibility=hidden.")
    }

    /// Symbols that linkers add, and those that Swift and C++ cannot hide.
    private static func isOfCompiler(_ name: String) -> Bool {
        ["_init", "_fini", "_edata", "_end", "__bss_start"].contains(name)
            || ["$s", "$S", "_swift_", "__swift_", "swift_", "_TI", "_ZT"].contains { name.hasPrefix($0) }
    }
}
