import Glibc
package import SynthSpeech
import SynthSystem

/// The locations of synthhost's components: next to the running executable (in a build tree) or in an installation
/// prefix.
///
/// A prefix contains `bin/synthhost` and the folder `lib/synthhost`. The other programs and `models.json` are in
/// `lib/synthhost`, engines in `lib/synthhost/plugins`, language tables in `lib/synthhost/languages`, the web page in
/// `lib/synthhost/page` and guides in `lib/synthhost/guides`. The running executable may be any of the programs.
package struct Installation: Equatable, Sendable {
    /// The program that hosts an engine.
    package let worker: String
    /// The download program.
    package let fetch: String
    /// The program that extracts the text from documents.
    package let read: String
    /// The shipped voice registry, or nil if it is not installed.
    package let registry: String?
    /// The folder of the language tables, or nil if they are not installed.
    package let languages: String?
    /// The folder of the service's web page, or nil if it is not installed.
    package let page: String?
    /// The folder of the command-line guides, or nil if they are not installed.
    package let guides: String?
    /// The folders of the shipped engines.
    package let plugins: [String]

    /// Creates an empty installation for use in tests.
    package init() {
        (worker, fetch, read, plugins) = ("", "", "", [])
        (registry, languages, page, guides) = (nil, nil, nil, nil)
    }

    /// Searches next to the executable, in its prefix, and below `SYNTHHOST_PREFIX`, `/usr/local` and `/usr`. If
    /// nothing is found there, for example because the program is in another package, it also searches the location of
    /// `synthhost` in `PATH`, and `~/.local`.
    ///
    /// - Parameter executable: the path of the running program.
    package init(executable: String, environment: [String: String]) throws(SpeechError) {
        let folder = Self.parent(of: executable)
        let named = environment["SYNTHHOST_PREFIX"].flatMap { $0.isEmpty ? nil : $0 }
        let isPart = folder.hasSuffix(Self.libraryFolder)
        let prefix = isPart ? String(folder.dropLast(Self.libraryFolder.count)) : Self.parent(of: folder)
        var libraries = [prefix, named, "/usr/local", "/usr"].compactMap { $0.map { $0 + Self.libraryFolder } }
        var checkout = Self.checkout(of: folder)
        // The folders in search order.
        var folders = [folder] + checkout + libraries
        var found = Self.find("synthhost-worker", in: folders, X_OK)
        if found == nil {
            let builds = Self.folders(of: "synthhost", environment)
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local" : nil }
            libraries += (builds.map { Self.parent(of: $0) } + (home.map { [$0] } ?? [])).map {
                $0 + Self.libraryFolder
            }
            checkout += builds.flatMap { Self.checkout(of: $0) }
            folders += builds + checkout + libraries
            found = Self.find("synthhost-worker", in: folders, X_OK)
        }
        guard let worker = found else {
            throw SpeechError.installationIncomplete(
                "synthhost-worker", candidates: folders.map { "\($0)/synthhost-worker" })
        }
        self.worker = worker
        fetch = "\(worker.dropLast("worker".count))fetch"
        read = "\(worker.dropLast("worker".count))read"
        registry = Self.find("models.json", in: folders, R_OK)
        func place(_ source: String, installedAs name: String, holding file: String) -> String? {
            (checkout.map { "\($0)/Sources/\(source)" } + libraries.map { "\($0)/\(name)" })
                .first { access("\($0)/\(file)", R_OK) == 0 }
        }
        languages = place("SynthVerbalization/Languages", installedAs: "languages", holding: "any/rules.txt")
        page = place("SynthWeb/Page", installedAs: "page", holding: "index.html")
        guides = place("synthhost-cli/Guides", installedAs: "guides", holding: "speaking.md")
        // An installed program's folder may contain libraries that are not engines, such as /usr/bin/ld.so or the Swift
        // runtime.
        let own = Self.parent(of: worker)
        let isInstalled = isPart || own == prefix + Self.libraryFolder
        let isBuild = own != folder && !own.hasSuffix(Self.libraryFolder)
        plugins = libraries.map { "\($0)/plugins" } + (isInstalled ? [] : [folder]) + (isBuild ? [own] : [])
    }

    private static let libraryFolder = "/lib/synthhost"

    private static func find(_ name: String, in folders: [String], _ mode: Int32) -> String? {
        folders.lazy.map { "\($0)/\(name)" }.first { access($0, mode) == 0 }
    }

    /// The package's root folder, if the executable is in its `.build` folder.
    private static func checkout(of folder: String) -> [String] {
        var folder = folder[...]
        while let slash = folder.lastIndex(of: "/") {
            if folder[slash...] == "/.build" { return [String(folder[..<slash])] }
            folder = folder[..<slash]
        }
        return []
    }

    /// The folders in `PATH` that contain a program, with symbolic links resolved.
    private static func folders(of program: String, _ environment: [String: String]) -> [String] {
        var seen: Set<String> = []
        return ProcessEnvironment.programs(program, in: environment).compactMap { path in
            guard let target = LinkTarget.real(path) else { return nil }
            let folder = parent(of: target)
            return seen.insert(folder).inserted ? folder : nil
        }
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// The running program's path.
    package static var executable: String { ProcessArguments.executable ?? "" }

    /// The program that checks engines, which is in the same folder as the worker.
    package func checkProgram() throws(SpeechError) -> String {
        let path = "\(Self.parent(of: worker))/synthhost-check"
        guard access(path, X_OK) == 0 else {
            throw SpeechError.installationIncomplete("synthhost-check", candidates: [path])
        }
        return path
    }
}

/// The user's folders according to the XDG Base Directory Specification.
package struct UserFolders: Equatable, Sendable {
    /// The folder for plugins and models.
    package let data: String
    /// The folder for files that can be recreated.
    package let cache: String
    /// The folder for logs.
    package let state: String
    /// The folder for sockets, which exists until the user logs out. nil if the system provides no such folder for this
    /// user.
    package let runtime: String?

    package init(environment: [String: String]) {
        let home = Self.home { environment[$0] }
        func folder(_ variable: String, _ fallback: String) -> String {
            // The specification requires relative paths to be ignored.
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
            return "\(base)/synthhost"
        }
        data = folder("XDG_DATA_HOME", ".local/share")
        cache = folder("XDG_CACHE_HOME", ".cache")
        state = folder("XDG_STATE_HOME", ".local/state")
        runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\($0)/synthhost" : nil }
    }

    /// The socket of this user's resident service, or nil if there is no runtime folder.
    package var socket: String? { runtime.map { "\($0)/socket" } }

    package var plugins: String { "\(data)/plugins" }

    static func home(_ environment: (String) -> String?) -> String {
        if let home = environment("HOME"), home.hasPrefix("/") { return home }
        guard let user = getpwuid(geteuid()), let folder = user.pointee.pw_dir else { return "/" }
        return String(validatingCString: folder) ?? "/"
    }
}

/// The user's language, as determined by the POSIX locale variables.
package enum LocaleLanguage {
    /// The language as a BCP 47 tag: "de-at" for `de_AT.UTF-8`. nil for the C locale.
    package static func tag(environment: [String: String]) -> String? {
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            guard let value = environment[variable], !value.isEmpty else { continue }
            let name = value.prefix { $0 != "." && $0 != "@" }
            guard name != "C", name != "POSIX" else { return nil }
            return name.lowercased().replacing("_", with: "-")
        }
        return nil
    }
}
