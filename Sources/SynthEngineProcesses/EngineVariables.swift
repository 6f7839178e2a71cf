import SynthSystem

/// Determines which of the host's environment variables are passed to an engine's process: harmless variables from a
/// fixed list, and variables that the user has allowed by name. Other variables may contain tokens, URLs with a
/// password, or socket names.
package enum EngineVariables {
    /// Whether a variable is passed to the process.
    ///
    /// - Parameter allowed: variables that the engine requests and the user allows, regardless of their values.
    static func passes(_ name: String, _ value: String, allowed: Set<String>) -> Bool {
        allowed.contains(name) || isHarmless(name, value)
    }

    /// Returns the requested variables that are set but withheld from the engine.
    package static func withheld(
        _ requested: [String], from environment: [String: String], allowed: Set<String>
    ) -> [String] {
        requested.filter { name in environment[name].map { !passes(name, $0, allowed: allowed) } ?? false }
    }

    /// Whether a variable is passed to every engine.
    package static func isHarmless(_ name: String, _ value: String) -> Bool {
        (known.contains(name) || isOfFamily(name)) && !SecretSigns.isSecret(value)
    }

    private static func isOfFamily(_ name: String) -> Bool {
        (name.hasSuffix("_DATA_PATH") || prefixes.contains { name.hasPrefix($0) }) && !SecretSigns.isSecret(name: name)
    }

    private static let known: Set = [
        // Data and cache paths that libraries look up, although a confined process finds nothing there. The folders for
        // configuration and sockets are not included.
        "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME",
        "LANG", "LANGUAGE", "TZ",
        // The precision of neural voices, from the host's configuration.
        "SYNTHHOST_EXACT", "SYNTHHOST_ORIGINAL_MODELS", "SYNTHHOST_PRECISION",
        // Variables for engine developers.
        "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    /// Prefixes of variables for the locale, threads, the loader and malloc.
    private static let prefixes = [
        "LC_", "GOMP_", "KMP_", "MKL_", "OMP_", "OPENBLAS_", "ORT_", "LD_", "GLIBC_", "MALLOC_", "SWIFT_",
    ]
}

/// Detects variables that contain a secret.
package enum SecretSigns {
    /// Whether a variable's name suggests a secret. Keywords match anywhere in the name, as in MYTOKEN and
    /// OPENAI_APIKEY.
    package static func isSecret(name: String) -> Bool {
        let name = name.uppercased()
        return parts.contains(where: name.contains) || name.split(separator: "_").contains(where: isAccessToken)
    }

    private static let parts = [
        "AUTH", "BEARER", "COOKIE", "CRED", "JWT", "KEY", "PASS", "PWD", "SECRET", "SESSION", "SIGNATURE", "TOKEN",
    ]

    /// Whether a word ends in PAT (personal access token), optionally followed by digits. PATH does not.
    private static func isAccessToken(_ word: Substring) -> Bool {
        word.reversed().drop { $0.isNumber }.starts(with: "TAP")
    }

    /// Whether a variable's value contains a URL with a user name or a password, or text that looks like a token.
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

    /// Recognizes tokens by the prefixes of the services that issue them, or by their length and mix of characters.
    /// Paths are not tokens, although they may contain a UUID.
    private static func isToken(_ word: Substring) -> Bool {
        let count = word.utf8.count
        if count >= shortestToken, beginnings.contains(where: word.hasPrefix) { return true }
        guard count >= shortestUnknown else { return false }
        let isPlain = word.utf8.allSatisfy { $0.isLetterOrDigit || "+-_".utf8.contains($0) }
        return isPlain && word.utf8.count { (0x30...0x39).contains($0) } >= 4
    }
}
