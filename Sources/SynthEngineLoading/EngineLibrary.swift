package import CSynthEngine
import Glibc
package import SynthEngineWire
import SynthSystem

/// A loaded plugin file. It is never unloaded.
package struct EngineLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Loads a file and its libraries. Throws if the file does not export the entry point of `kind`.
    package init(_ file: TrustedFile, as kind: PluginKind = .engine) throws(Refusal) {
        let (opened, name) = Self.open(file.path)
        guard let handle = opened else { throw Self.refusal(of: name) }
        guard dlsym(handle, kind.entry) != nil else {
            throw Refusal(kind == .engine ? .noEntry : .noRecognizer)
        }
        self.handle = handle
    }

    /// Returns the plugin's table; nil if there is none for this version of the interface.
    package func table(as kind: PluginKind, abi: UInt32, host: UnsafePointer<synth_host>) -> UnsafeRawPointer? {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafeRawPointer?
        return dlsym(handle, kind.entry).flatMap { unsafeBitCast($0, to: Entry.self)(abi, host) }
    }

    /// Returns the plugin's table; nil if it does not support the host's version of the interface.
    package func table<Table: PluginTable>(host: UnsafePointer<synth_host>) -> UnsafePointer<Table>? {
        table(as: Table.kind, abi: Table.kind.abi, host: host)?.assumingMemoryBound(to: Table.self)
    }

    /// Opens a file and returns its handle, along with the path that was passed to the loader. The loader always
    /// expands tokens such as `$LIB` in a path, so if a folder's name may contain a token, the loader gets a path
    /// without folder names.
    private static func open(_ path: String) -> (UnsafeMutableRawPointer?, name: String) {
        let flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE
        let folder = LinkTarget.folder(of: path)
        guard folder.contains("$"), let here = try? Descriptor.open(".", namingOnly), chdir(folder) == 0 else {
            return (dlopen(path, flags), path)
        }
        defer { _ = fchdir(here.raw) }
        let name = "./" + path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        return (dlopen(name, flags), name)
    }

    /// `O_PATH`, which Swift does not import.
    private static let namingOnly: Int32 = 0o10000000

    private static func refusal(of path: String) -> Refusal {
        refusal(of: path, inWordsOf: dlerror().map { String(cString: $0) } ?? "unknown reason")
    }

    /// Derives the refusal from the linker's message, which starts with the name of the file itself if the problem is
    /// in that file, or with the name of a missing library.
    static func refusal(of path: String, inWordsOf linker: String) -> Refusal {
        if let library = missingLibrary(linker) { return Refusal(.lacksLibrary(library)) }
        let detail = linker.hasPrefix(path + ": ") ? String(linker.dropFirst(path.count + 2)) : linker
        // In these cases, the file is valid, but the system could not map it.
        let isUnmapped = ["failed to map", "cannot allocate", "Cannot allocate"].contains { linker.contains($0) }
        return Refusal(isUnmapped ? .cannotBeMapped(detail) : .cannotBeLoaded(detail))
    }

    private static func missingLibrary(_ words: String) -> String? {
        let name = words.split(separator: ":").first.map(String.init) ?? ""
        let isMissing = name.hasPrefix("lib") && !name.contains("/") && words.contains("cannot open shared object file")
        return isMissing ? name : nil
    }
}

/// A file that has been checked. The checks are necessary because `dlopen` crashes on a damaged file and never returns
/// for a FIFO. The code runs with the user's permissions, so other users must not be able to write to the file or to
/// anything loaded with it.
package struct TrustedFile {
    /// An absolute path without symbolic links, which allows other libraries in the same folder to be found.
    package let path: String
    /// All paths outside the system's folders that the loader reads for this file: the file itself, its libraries, and
    /// the folders of the library path.
    package let loaded: [String]

    package init(path: String) throws(Refusal) {
        self.path = try Self.regular(path)
        var trust = Trust()
        try trust.check(self.path)
        // Check the file first, because its contents determine the libraries.
        try ELFFile(path: self.path).checkWholeness()
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
    /// Checks a file and returns either the file or the reason why it must not be loaded.
    package static func found(at path: String) -> Result<TrustedFile, Refusal> {
        Result { () throws(Refusal) in try TrustedFile(path: path) }
    }
}

extension Result<TrustedFile, Refusal> {
    /// All paths that the loader reads, and the paths of library data given by environment variables such as
    /// `ESPEAK_DATA_PATH`.
    package var loaded: [String] {
        guard case .success(let file) = self else { return [] }
        return file.loaded + ProcessEnvironment().variables.filter { $0.key.hasSuffix("_DATA_PATH") }.values.sorted()
    }
}

/// The libraries that the loader loads with an engine (ld.so(8)), except those in the system's folders. Their code also runs
/// with the user's permissions.
struct LoadedLibraries {
    private var trust = Trust()
    /// The system's folders and the folders in `LD_LIBRARY_PATH`, with links resolved. They are trusted because the
    /// user sets the variable and the host itself may need these folders.
    private let given: Set<String>
    private let libraryPath: [String]
    private var seen: Set<String> = []

    init(environment: (String) -> String?) {
        libraryPath = LibraryPath.folders(in: environment(LibraryPath.variable) ?? "").compactMap(LinkTarget.real)
        given = Set(libraryPath + Self.ofSystem)
    }

    /// The checked paths, and the folders of the library path.
    var places: [String] { seen.sorted() + libraryPath }

    private static let ofSystem = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]

    /// Checks all libraries that a shared object needs, including their dependencies.
    ///
    /// - Parameters:
    ///   - path: the path as passed to the loader.
    ///   - inherited: folders from the RPATH of the objects that need this object.
    mutating func check(of path: String, inherited: [String] = []) throws(Refusal) {
        guard seen.insert(path).inserted else { return }
        let linking = try ELFFile(path: path).linking()
        let origin = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let library = seen.count == 1 ? nil : path
        var own: [String] = []
        for element in linking.runPath ?? linking.rPath {
            own.append(try expanded(element, origin: origin, .searchElement(element, for: library)))
        }
        let searched = linking.runPath == nil ? own + inherited : own
        let folders = searched.filter { !isGiven($0) }.flatMap { Self.variants(of: $0) }
        for folder in folders { try checkFolder(folder, for: library) }
        for name in linking.libraries {
            var candidates = folders.map { "\($0)/\(name)" }
            if name.contains("/") {
                let path = try expanded(name, origin: origin, .namedLibrary(name, for: library))
                candidates = isGiven(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])) ? [] : [path]
            }
            for candidate in candidates where access(candidate, F_OK) == 0 {
                try checkFile(candidate)
                try check(of: candidate, inherited: linking.runPath == nil ? searched : [])
            }
        }
    }

    /// Expands an element of a search path, or the path of a library, as the loader does.
    private func expanded(_ text: String, origin: String, _ part: EnginePart) throws(Refusal) -> String {
        guard let path = LoaderPath.expanded(text, origin: origin), path.hasPrefix("/") else {
            throw Refusal(.notAbsolute, of: part)
        }
        return path
    }

    /// Returns the subfolders that the loader searches before the folder itself, for libraries optimized for the
    /// processor. The depth is limited, as in the loader, because a link from a subfolder to itself would otherwise
    /// cause endless recursion.
    private static func variants(of folder: String, depth: Int = 4) -> [String] {
        guard depth > 0 else { return [folder] }
        let inner = [
            "glibc-hwcaps", "x86-64-v4", "x86-64-v3", "x86-64-v2", "tls", "haswell", "avx512_1", "xeon_phi", "x86_64",
            "aarch64", "atomics",
        ]
        return inner.map { "\(folder)/\($0)" }.filter { isFolder($0) }.flatMap { variants(of: $0, depth: depth - 1) }
            + [folder]
    }

    /// Checks a folder. If it does not exist, other users must not be able to create it.
    private mutating func checkFolder(_ folder: String, for library: String?) throws(Refusal) {
        var there = folder[...]
        var status = stat()
        while lstat(String(there), &status) != 0 {
            guard let slash = there.lastIndex(of: "/") else { return }
            there = slash == there.startIndex ? "/" : there[..<slash]
        }
        let part = EnginePart.searchFolder(folder, for: library)
        do {
            try trust.check(String(there), of: part, isOpen: true)
        } catch {
            throw there == folder[...] ? error : Refusal(.absentFolder, of: part)
        }
        if let resolved = LinkTarget.real(String(there)), resolved != there {
            try trust.check(resolved, of: part, isOpen: true)
        }
    }

    private mutating func checkFile(_ path: String) throws(Refusal) {
        guard let resolved = LinkTarget.real(path) else { return }
        try trust.check(path, of: .library(path))
        try trust.check(resolved, of: .library(path))
    }

    /// Whether a folder needs no check.
    private func isGiven(_ folder: String) -> Bool {
        guard let resolved = LinkTarget.real(folder) else { return false }
        return given.contains(resolved) || Self.ofSystem.contains { resolved.hasPrefix($0 + "/") }
    }
}

/// Expands an element of a search path as the loader does (ld.so(8), "Dynamic string tokens").
enum LoaderPath {
    /// Expands only the tokens in the file's own text, because the name of the origin folder may itself contain `$`.
    ///
    /// - Returns: nil if the text contains a token other than `$ORIGIN`, or a `$` that does not start a token.
    static func expanded(_ text: String, origin: String) -> String? {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "$") {
            result += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            let isBraced = rest.first == "{"
            let name = rest.dropFirst(isBraced ? 1 : 0).prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
            }
            let after = rest[name.endIndex...]
            guard name == "ORIGIN", !isBraced || after.first == "}" else { return nil }
            result += origin
            rest = isBraced ? after.dropFirst() : after
        }
        return result + rest
    }
}
