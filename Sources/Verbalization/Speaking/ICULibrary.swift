import CICU

/// ICU, opened when a text first needs words for a number, and never closed.
struct ICULibrary: Sendable {
    let functions: synth_icu

    /// Nil if there is none on this machine. The version that the program was built with comes first.
    static let shared: ICULibrary? = {
        let built = synth_icu_built_version()
        var functions = synth_icu()
        for version in [built] + (60...99).reversed().map({ Int32($0) }) where synth_icu_open(version, &functions) {
            return ICULibrary(functions: functions)
        }
        return nil
    }()
}
