import EngineWire
import Glibc
import System

/// The libraries that the loader loads together with an engine, by ld.so(8), as far as they are not in the system's
/// folders. Their code runs with the user's rights, too.
struct LoadedLibraries {
    private var trust = Trust()
    /// The system's folders and those of `LD_LIBRARY_PATH`, without links. They are trusted: the user sets the
    /// variable, and the host itself may need them.
    private let given: Set<String>
    private let libraryPath: [String]
    private var seen: Set<String> = []

    /// - Parameter environment: the value of a variable.
    init(environment: (String) -> String?) {
        libraryPath = LibraryPath.folders(in: environment(LibraryPath.variable) ?? "").compactMap(LinkTarget.real)
        given = Set(libraryPath + Self.ofSystem)
    }

    /// What was checked, and the folders of the library path.
    var places: [String] { seen.sorted() + libraryPath }

    private static let ofSystem = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]

    /// Checks all libraries that a shared object needs, and those that they need.
    /// - Parameters:
    ///   - path: as the loader names it.
    ///   - inherited: folders from the RPATH of the objects that need this one.
    mutating func check(of path: String, inherited: [String] = []) throws(Refusal) {
        guard seen.insert(path).inserted else { return }
        let linking = try Elf(path: path).linking()
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

    /// An element of a search path, or the path of a library, as the loader expands it.
    private func expanded(_ text: String, origin: String, _ part: EnginePart) throws(Refusal) -> String {
        let path = text.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
        guard path.hasPrefix("/"), !path.contains("$") else {
            throw Refusal(.notAbsolute, of: part)
        }
        return path
    }

    /// The subfolders that the loader searches before the folder itself, for libraries that fit the processor better.
    /// The depth is limited like the loader's, because a link from one of them to itself would have no end.
    private static func variants(of folder: String, depth: Int = 4) -> [String] {
        guard depth > 0 else { return [folder] }
        let inner = [
            "glibc-hwcaps", "x86-64-v4", "x86-64-v3", "x86-64-v2", "tls", "haswell", "avx512_1", "xeon_phi", "x86_64",
            "aarch64", "atomics",
        ]
        return inner.map { "\(folder)/\($0)" }.filter { isFolder($0) }.flatMap { variants(of: $0, depth: depth - 1) }
            + [folder]
    }

    /// If the folder does not exist, another user must not be able to create it.
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
