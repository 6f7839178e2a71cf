package import CSynthEngine
package import EngineWire
import Glibc

/// A loaded engine file. It is never unloaded.
package struct EngineLibrary {
    private let entry: @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_engine>?

    /// Checks the file and loads it with its libraries.
    package init(path: String) throws(Refusal) {
        let file = try TrustedFile(path: path)
        try file.checkTrust()
        try file.checkFormat()
        try file.checkLibraries()
        guard let handle = dlopen(file.path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw Self.refusal(of: file.path)
        }
        guard let symbol = dlsym(handle, "synth_engine_entry") else {
            throw Refusal(.noEntry)
        }
        entry = unsafeBitCast(symbol, to: type(of: entry))
    }

    /// The engine's table; nil if it does not implement this version of the interface.
    package func table(abi: UInt32, host: UnsafePointer<synth_host>) -> UnsafePointer<synth_engine>? {
        entry(abi, host)
    }

    private static func refusal(of path: String) -> Refusal {
        refusal(of: path, inWordsOf: dlerror().map { String(cString: $0) } ?? "unknown reason")
    }

    /// The linker's message starts with the file's own name if the file is at fault, and with the name of a library if
    /// that library is missing.
    static func refusal(of path: String, inWordsOf linker: String) -> Refusal {
        if let library = missingLibrary(linker) { return Refusal(.lacksLibrary(library)) }
        let detail = linker.hasPrefix(path + ": ") ? String(linker.dropFirst(path.count + 2)) : linker
        // In these cases the file is good, but the system could not map it.
        let isUnmapped = ["failed to map", "cannot allocate", "Cannot allocate"].contains { linker.contains($0) }
        return Refusal(isUnmapped ? .cannotBeMapped(detail) : .cannotBeLoaded(detail))
    }

    private static func missingLibrary(_ words: String) -> String? {
        let name = words.split(separator: ":").first.map(String.init) ?? ""
        let isMissing = name.hasPrefix("lib") && !name.contains("/") && words.contains("cannot open shared object file")
        return isMissing ? name : nil
    }
}
