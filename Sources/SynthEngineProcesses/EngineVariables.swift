import SynthEngineWire

/// Which of the host's environment variables the process of an engine gets: those on a list of harmless ones, and those that its user
/// allowed by name. The rest may hold tokens, addresses with a password, names of sockets.
package enum EngineVariables {
    /// Whether the process gets a variable.
    ///
    /// - Parameter allowed: those that the engine requests and its user allows, whatever they hold.
    static func passes(_ name: String, _ value: String, allowed: Set<String>) -> Bool {
        allowed.contains(name) || isHarmless(name, value)
    }

    /// Those that an engine requests and does not get, though they are set.
    package static func withheld(
        _ requested: [String], from environment: [String: String], allowed: Set<String>
    ) -> [String] {
        requested.filter { name in environment[name].map { !passes(name, $0, allowed: allowed) } ?? false }
    }

    /// Those of the names that need a permission, whatever they hold.
    package static func needingPermission(_ requested: [String]) -> [String] {
        requested.filter { !isHarmless($0, "") }
    }

    /// Whether every engine gets a variable.
    package static func isHarmless(_ name: String, _ value: String) -> Bool {
        (known.contains(name) || isOfFamily(name)) && !SecretSigns.isSecret(value)
    }

    private static func isOfFamily(_ name: String) -> Bool {
        (name.hasSuffix("_DATA_PATH") || prefixes.contains { name.hasPrefix($0) }) && !SecretSigns.isSecret(name: name)
    }

    private static let known: Set = [
        // Where a library looks for its data and caches, though it finds nothing there once it is confined. Not the folders of
        // configuration and of sockets.
        "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME",
        "LANG", "LANGUAGE", "TZ",
        // How exactly neural voices compute: choices of the host's configuration.
        "SYNTHHOST_EXACT", "SYNTHHOST_ORIGINAL_MODELS", "SYNTHHOST_PRECISION",
        // For developers of engines.
        "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    /// Of the locale, threads, the loader and malloc.
    private static let prefixes = [
        "LC_", "GOMP_", "KMP_", "MKL_", "OMP_", "OPENBLAS_", "ORT_", "LD_", "GLIBC_", "MALLOC_", "SWIFT_",
    ]
}

/// Signs that a variable holds something that opens a door to whoever knows it.
package enum SecretSigns {
    /// By its name. A part of a name counts wherever it stands, as in MYTOKEN and OPENAI_APIKEY.
    package static func isSecret(name: String) -> Bool {
        let name = name.uppercased()
        return parts.contains(where: name.contains) || name.split(separator: "_").contains(where: isAccessToken)
    }

    private static let parts = [
        "AUTH", "BEARER", "COOKIE", "CRED", "JWT", "KEY", "PASS", "PWD", "SECRET", "SESSION", "SIGNATURE", "TOKEN",
    ]

    /// PAT is a personal access token, and also the beginning of PATH.
    private static func isAccessToken(_ word: Substring) -> Bool {
        word.reversed().drop { $0.isNumber }.starts(with: "TAP")
    }

    /// By its value: an address with a user or password in it, or what tokens look like.
    package static func isSecret(_ value: String) -> Bool {
        if let scheme = value.firstRange(of: "://"), value[scheme.upperBound...].contains("@") { return true }
        return value.split { " \t\n,;:=\"'".contains($0) }.contains(where: isToken)
    }

    private static let beginnings = [
        "AIza", "AKIA", "ASIA", "SG.", "eyJ", "ghp_", "gho_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_",
        "npm_", "pypi-", "sk-", "sk_", "xapp-", "xoxa-", "xoxb-", "xoxp-", "-----BEGIN",
    ]
    private static let shortestToken = 16
    private static let shortestUnknown = 32

    /// By how the services that hand them out begin them, or by its length and mixture. A path is none, though a UUID may be in it.
    private static func isToken(_ word: Substring) -> Bool {
        let count = word.utf8.count
        if count >= shortestToken, beginnings.contains(where: word.hasPrefix) { return true }
        guard count >= shortestUnknown else { return false }
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x5F: true
            default: false
            }
        }
        return isPlain && word.utf8.count { (0x30...0x39).contains($0) } >= 4
    }
}
