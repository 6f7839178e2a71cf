import Glibc
import System

/// The places of synthhost's parts: beside the running executable (a build tree), or below a prefix.
///
/// Below a prefix: `bin/synthhost`, the other programs and `models.json` in `lib/synthhost`, engines in
/// `lib/synthhost/plugins`, tables of languages in `lib/synthhost/languages`, the page in `lib/synthhost/page`. The running executable may be any of them.
package struct Installation: Hashable, Sendable {
    /// The program that hosts an engine.
    package let worker: String
    /// The program that downloads.
    package let fetch: String
    /// The shipped registry of voices; nil if there is none.
    package let registry: String?
    /// The folder with the tables of languages; nil if there is none.
    package let languages: String?
    /// The folder with the page of the service; nil if there is none.
    package let page: String?
    /// The folders with the shipped engines.
    package let plugins: [String]

    /// Looks beside the executable, in its prefix, and below `SYNTHHOST_PREFIX`, `/usr/local` and `/usr`.
    /// - Parameter executable: the running program.
    package init(executable: String, environment: [String: String]) throws(InstallationError) {
        let folder = Self.parent(of: executable)
        let named = environment["SYNTHHOST_PREFIX"].flatMap { $0.isEmpty ? nil : $0 }
        let isPart = folder.hasSuffix(Self.libraryFolder)
        let prefix = isPart ? String(folder.dropLast(Self.libraryFolder.count)) : Self.parent(of: folder)
        let prefixes = [prefix, named, "/usr/local", "/usr"].compactMap { $0 }
        let libraries = prefixes.map { $0 + Self.libraryFolder }
        // In the order of the search.
        let folders = [folder] + Self.checkout(of: folder) + libraries
        guard let worker = Self.find("synthhost-worker", in: folders, X_OK) else {
            throw InstallationError(missing: "synthhost-worker", candidates: folders.map { "\($0)/synthhost-worker" })
        }
        self.worker = worker
        fetch = "\(worker.dropLast("worker".count))fetch"
        registry = Self.find("models.json", in: folders, R_OK)
        languages = Self.languages(checkout: Self.checkout(of: folder), libraries)
        page = Self.page(checkout: Self.checkout(of: folder), libraries)
        // Beside an installed program lie libraries that are no engines.
        plugins = libraries.map { "\($0)/plugins" } + (isPart ? [] : [folder])
    }

    /// Where the parts are below a prefix.
    private static let libraryFolder = "/lib/synthhost"

    private static func find(_ name: String, in folders: [String], _ mode: Int32) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { access($0, mode) == 0 }
    }

    private static func languages(checkout: [String], _ libraries: [String]) -> String? {
        let folders = checkout.map { "\($0)/Sources/Verbalization/Languages" } + libraries.map { "\($0)/languages" }
        return folders.first { access("\($0)/any/rules.txt", R_OK) == 0 }
    }

    private static func page(checkout: [String], _ libraries: [String]) -> String? {
        let folders = checkout.map { "\($0)/Sources/SpeechServices/Page" } + libraries.map { "\($0)/page" }
        return folders.first { access("\($0)/index.html", R_OK) == 0 }
    }

    /// The folder of the package, if the executable is in its `.build`.
    private static func checkout(of folder: String) -> [String] {
        var folder = folder[...]
        while let slash = folder.lastIndex(of: "/") {
            if folder[slash...] == "/.build" { return [String(folder[..<slash])] }
            folder = folder[..<slash]
        }
        return []
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// The program that this process runs.
    package static var executable: String { ProcessArguments.executable ?? "" }
}
