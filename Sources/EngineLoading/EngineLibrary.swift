package import CSynthEngine
package import EngineWire
import Glibc
import System

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

/// A file that is checked before it is loaded: `dlopen` of a damaged one kills the process, and of a FIFO never returns.
package struct TrustedFile {
    /// Absolute and without links, so that a library in the same folder is found.
    package let path: String

    package init(path: String) throws(Refusal) {
        guard let resolved = realpath(path, nil) else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        var status = stat()
        guard lstat(resolved, &status) == 0 else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Refusal(.notRegularFile) }
    }

    /// An engine runs with the rights of the user, so no other user may be able to write it.
    package func checkTrust() throws(Refusal) {
        var trust = Trust()
        try trust.check(path)
    }

    /// Throws if `dlopen` would crash or never return.
    package func checkFormat() throws(Refusal) { try Elf(path: path).checkWholeness() }

    /// The same check for the libraries that the loader loads with it. The format must be checked first.
    package func checkLibraries() throws(Refusal) {
        var libraries = LoadedLibraries(environment: { getenv($0).map { String(cString: $0) } })
        try libraries.check(of: path)
    }
}
