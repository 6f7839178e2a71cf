import CICU

/// Words for whole numbers, by ICU. Used by one thread at a time.
final class NumberSpeller {
    private let functions: synth_icu
    private let format: UnsafeMutablePointer<UNumberFormat?>
    private let plurals: OpaquePointer
    private var ruleSet = ""
    private var units = [UChar](repeating: 0, count: 512)

    /// There are no words for larger numbers.
    static let limit: Int64 = 1_000_000_000_000_000_000

    /// Nil if there is no ICU, or if it does not know the language.
    init?(locale: String) {
        guard let functions = ICULibrary.shared?.functions else { return nil }
        var status = U_ZERO_ERROR
        guard let format = functions.open_format(UNUM_SPELLOUT, nil, 0, locale, nil, &status) else { return nil }
        guard status.rawValue <= 0, let plurals = functions.open_plurals(locale, &status), status.rawValue <= 0 else {
            functions.close_format(format)
            return nil
        }
        self.functions = functions
        self.format = format
        self.plurals = plurals
    }

    deinit {
        functions.close_format(format)
        functions.close_plurals(plurals)
    }

    /// - Parameter ruleSet: ICU's name of it: `%spellout-ordinal`.
    /// - Returns: the words without hyphens for line breaks; nil if ICU has no such rule set, or only digits.
    func words(_ value: Int64, ruleSet: String) -> String? {
        guard abs(value) < Self.limit, select(ruleSet) else { return nil }
        var status = U_ZERO_ERROR
        let count = functions.format(format, value, &units, Int32(units.count), nil, &status)
        guard status.rawValue <= 0, count > 0, count <= units.count else { return nil }
        let words = units[..<Int(count)].filter { $0 != 0xAD }
        guard !words.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: words, as: UTF16.self)
    }

    /// ICU's name of the plural category: "one", "few".
    func plural(_ value: Double) -> String {
        var status = U_ZERO_ERROR
        let count = functions.select_plural(plurals, value, &units, Int32(units.count), &status)
        guard status.rawValue <= 0, count > 0, count <= units.count else { return "other" }
        return String(decoding: units[..<Int(count)], as: UTF16.self)
    }

    private func select(_ name: String) -> Bool {
        if name == ruleSet { return true }
        var status = U_ZERO_ERROR
        let letters = Array(name.utf16)
        functions.set_text(format, UNUM_DEFAULT_RULESET, letters, Int32(letters.count), &status)
        guard status.rawValue <= 0 else {
            ruleSet = ""
            return false
        }
        ruleSet = name
        return true
    }
}
