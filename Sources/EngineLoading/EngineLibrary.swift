package import CSynthEngine
package import EngineWire
import Glibc
import System

/// A loaded plugin file. It is never unloaded.
package struct EngineLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Loads a file with its libraries, as one of what it is.
    package init(_ file: TrustedFile, as kind: PluginKind = .engine) throws(Refusal) {
        guard let handle = dlopen(file.path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw Self.refusal(of: file.path)
        }
        guard dlsym(handle, kind.entry) != nil else {
            throw Refusal(kind == .engine ? .noEntry : .noRecognizer)
        }
        self.handle = handle
    }

    /// The engine's table; nil if it is none, or does not implement this version of the interface.
    package func table(abi: UInt32, host: UnsafePointer<synth_host>) -> UnsafePointer<synth_engine>? {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_engine>?
        return dlsym(handle, PluginKind.engine.entry).flatMap { unsafeBitCast($0, to: Entry.self)(abi, host) }
    }

    /// The same of a recognizer.
    package func recognizer(abi: UInt32, host: UnsafePointer<synth_host>) -> UnsafePointer<synth_recognizer>? {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_recognizer>?
        return dlsym(handle, PluginKind.recognizer.entry).flatMap { unsafeBitCast($0, to: Entry.self)(abi, host) }
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

extension PluginKind {
    /// The function that a plugin of this kind exports.
    package var entry: String {
        switch self {
        case .engine: "synth_engine_entry"
        case .recognizer: "synth_recognizer_entry"
        }
    }
}

/// A file that was checked: `dlopen` of a damaged one kills the process, and of a FIFO never returns. It runs with the rights of
/// the user, so no other user may be able to write it, or what the loader loads with it.
package struct TrustedFile {
    /// Absolute and without links, so that a library in the same folder is found.
    package let path: String
    /// What the loader reads for it outside the system's folders: itself and its libraries, and the folders of the library path.
    package let loaded: [String]

    package init(path: String) throws(Refusal) {
        self.path = try Self.regular(path)
        var trust = Trust()
        try trust.check(self.path)
        // The libraries are read by what the file says.
        try Elf(path: self.path).checkWholeness()
        var libraries = LoadedLibraries(environment: { getenv($0).map { String(cString: $0) } })
        try libraries.check(of: self.path)
        loaded = libraries.places
    }

    private static func regular(_ path: String) throws(Refusal) -> String {
        guard let resolved = realpath(path, nil) else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        defer { free(resolved) }
        var status = stat()
        guard lstat(resolved, &status) == 0 else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Refusal(.notRegularFile) }
        return String(cString: resolved)
    }
}

extension TrustedFile {
    /// The file, or why it may not be loaded.
    package static func found(at path: String) -> Result<TrustedFile, Refusal> {
        Result { () throws(Refusal) in try TrustedFile(path: path) }
    }
}

extension Result<TrustedFile, Refusal> {
    /// What the loader reads, with the data that the environment names for libraries, as in `ESPEAK_DATA_PATH`.
    package var loaded: [String] {
        guard case .success(let file) = self else { return [] }
        return file.loaded + ProcessEnvironment().variables.filter { $0.key.hasSuffix("_DATA_PATH") }.values.sorted()
    }
}
