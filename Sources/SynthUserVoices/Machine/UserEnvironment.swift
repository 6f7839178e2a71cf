import Glibc

/// The folders of the user's files, by the XDG Base Directory Specification.
package struct UserFolders: Equatable, Sendable {
    /// Plugins and models.
    package let data: String
    package let configuration: String
    /// Files that can be made again.
    package let cache: String
    /// Logs.
    package let state: String
    /// Sockets, until this user logs out; nil = the system has no such folder for this user.
    package let runtime: String?

    package init(environment: [String: String]) {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Self.homeOfUser ?? "/"
        func folder(_ variable: String, _ fallback: String) -> String {
            // The specification says that a relative path is ignored.
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
            return "\(base)/synthhost"
        }
        data = folder("XDG_DATA_HOME", ".local/share")
        configuration = folder("XDG_CONFIG_HOME", ".config")
        cache = folder("XDG_CACHE_HOME", ".cache")
        state = folder("XDG_STATE_HOME", ".local/state")
        runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\($0)/synthhost" : nil }
    }

    /// Where a resident service of this user listens; nil = there is no place for it.
    package var socket: String? { runtime.map { "\($0)/socket" } }

    package var plugins: String { "\(data)/plugins" }

    private static var homeOfUser: String? {
        guard let user = getpwuid(geteuid()), let folder = user.pointee.pw_dir else { return nil }
        return String(validatingCString: folder)
    }
}

/// The user's language, by the POSIX locale variables.
package enum LocaleLanguage {
    /// A BCP-47 tag: "de-at" for `de_AT.UTF-8`; nil for the C locale.
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
