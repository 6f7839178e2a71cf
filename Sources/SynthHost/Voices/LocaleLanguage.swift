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
