import CSynthICU

/// Spells out integers with ICU. Not thread-safe.
final class NumberSpeller {
    private let numbers: OpaquePointer
    private var ruleSet = ""
    private var units = [UInt16](repeating: 0, count: 512)

    /// The smallest number that is too large to be spelled out.
    static let limit: Int64 = 1_000_000_000_000_000_000

    /// Returns nil if ICU is not installed or does not support the language.
    init?(locale: String) {
        guard let numbers = icu_numbers_open(locale) else { return nil }
        self.numbers = numbers
    }

    deinit { icu_numbers_close(numbers) }

    /// - Parameter ruleSet: the name of an ICU rule set, such as `%spellout-ordinal`.
    /// - Returns: the words without soft hyphens, or nil if ICU has no such rule set or returns digits.
    func words(_ value: Int64, ruleSet: String) -> String? {
        guard value.magnitude < UInt64(Self.limit), select(ruleSet) else { return nil }
        let count = icu_numbers_words(numbers, value, &units, Int32(units.count))
        guard count > 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 * Int(count))
        for unit in units[..<Int(count)] {
            if (0x30...0x39).contains(unit) { return nil }
            // Number words never contain characters outside the Basic Multilingual Plane.
            if unit < 0x80 {
                bytes.append(UInt8(unit))
            } else if unit != 0xAD {
                Folding.append(UInt32(unit), to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses number words. Returns nil if they do not form a number or contain other text.
    func value(of words: String) -> Double? {
        let letters = Array(words.utf16)
        var value = 0.0
        guard !letters.isEmpty, letters.count < 1000,
            icu_numbers_value(numbers, letters, Int32(letters.count), &value), value.isFinite
        else { return nil }
        return value
    }

    /// Returns ICU's name for the plural category, such as "one" or "few".
    func plural(_ value: Double) -> String {
        let count = icu_numbers_plural(numbers, value, &units, Int32(units.count))
        return count > 0 ? String(decoding: units[..<Int(count)], as: UTF16.self) : "other"
    }

    private func select(_ name: String) -> Bool {
        if name == ruleSet { return true }
        let letters = Array(name.utf16)
        guard icu_numbers_select(numbers, letters, Int32(clamping: letters.count)) else {
            ruleSet = ""
            return false
        }
        ruleSet = name
        return true
    }
}

/// A cache of recently spelled-out numbers. Each number is assigned to one slot, which later numbers can overwrite.
struct NumberMemory {
    private struct Entry {
        var value: Int64
        var form: Int
        var words: String
    }

    private var entries = [Entry](repeating: Entry(value: 0, form: -1, words: ""), count: 512)

    subscript(value: Int64, form: Int) -> String? {
        get {
            let entry = entries[index(value, form)]
            return entry.value == value && entry.form == form ? entry.words : nil
        }
        set {
            guard let newValue else { return }
            entries[index(value, form)] = Entry(value: value, form: form, words: newValue)
        }
    }

    private func index(_ value: Int64, _ form: Int) -> Int {
        let key = UInt64(bitPattern: value) ^ UInt64(truncatingIfNeeded: form) << 40
        return Int((key &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }
}
