import Glibc

/// The user's folders according to the XDG Base Directory Specification.
package struct UserFolders: Equatable, Sendable {
    /// The folder for plugins and models.
    package let data: String
    package let configuration: String
    /// The folder for files that can be recreated.
    package let cache: String
    /// The folder for logs.
    package let state: String
    /// The folder for sockets, which exists until the user logs out. nil if the system provides none for this user.
    package let runtime: String?

    package init(environment: [String: String]) {
        let home = Self.home { environment[$0] }
        func folder(_ variable: String, _ fallback: String) -> String {
            // The specification requires relative paths to be ignored.
            let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
            return "\(base)/synthhost"
        }
        data = folder("XDG_DATA_HOME", ".local/share")
        configuration = folder("XDG_CONFIG_HOME", ".config")
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

/// The user's language according to the POSIX locale variables.
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
