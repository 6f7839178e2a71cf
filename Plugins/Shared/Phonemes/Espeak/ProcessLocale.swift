import Glibc

package enum ProcessLocale {
    /// Runs `body` and restores the locale of the process. libespeak-ng sets it when it starts, but has its own tables for
    /// letters and does not need it.
    package static func keeping<Result>(_ body: () -> Result) -> Result {
        let locale = setlocale(LC_ALL, nil).flatMap { strdup($0) }
        defer {
            if let locale { setlocale(LC_ALL, locale) }
            free(locale)
        }
        return body()
    }
}
