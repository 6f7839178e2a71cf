package import CSynthEngine
package import EngineWire
import Glibc

/// A loaded engine file. It is never unloaded.
package struct EngineLibrary {
    private let entry: @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_engine>?

    /// Checks the file and loads it with all that it needs.
    package init(path: String) throws(Refusal) {
        let file = try TrustedFile(path: path)
        try file.checkTrust()
        try file.checkFormat()
        try file.checkLibraries()
        guard let handle = dlopen(file.path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw Self.refusal(of: file.path)
        }
        guard let symbol = dlsym(handle, "synth_engine_entry") else {
            throw Refusal(
                .incompatible, "is no speech engine: it has no function synth_engine_entry",
                remedy: "Remove it from the plugins folder.")
        }
        entry = unsafeBitCast(symbol, to: type(of: entry))
    }

    /// The engine's table; nil where it does not speak this version of the interface.
    package func table(abi: UInt32, host: UnsafePointer<synth_host>) -> UnsafePointer<synth_engine>? {
        entry(abi, host)
    }

    /// Where the file is good and its surroundings are not.
    static func remedy(for words: String) -> String? {
        guard ["failed to map", "cannot allocate", "Cannot allocate"].contains(where: { words.contains($0) }) else {
            return nil
        }
        return "Memory may be short (`ulimit -v` shows a limit), or the file system is mounted with noexec."
    }

    /// The linker's words start with the file's own name where the file is at fault, and with a library's where that
    /// one is missing.
    private static func refusal(of path: String) -> Refusal {
        let words = dlerror().map { String(cString: $0) } ?? "unknown reason"
        if let library = MissingLibrary(words) {
            return Refusal(
                .notLoadable, "needs the library \(library.name), which is not installed", remedy: library.remedy)
        }
        let detail = words.hasPrefix(path + ": ") ? String(words.dropFirst(path.count + 2)) : words
        return Refusal(.notLoadable, "cannot be loaded: \(detail)", remedy: remedy(for: words))
    }
}
