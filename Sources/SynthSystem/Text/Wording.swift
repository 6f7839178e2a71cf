/// Phrases that several messages share.
package enum Wording {
    /// " Did you mean "a" or "b"?", to append to a sentence; empty if there is no suggestion.
    package static func suggestion(_ near: [String]) -> String {
        near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }

    /// Returns the first eight names, followed by the number of omitted names.
    package static func few(_ names: [String]) -> String {
        let most = 8
        let rest = names.count - most
        return names.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Returns the first twelve names, with an ellipsis if there are more.
    package static func list(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return names.count > 12 ? shown + ", …" : shown
    }

    /// "a, b or c"
    package static func either(_ names: [String]) -> String { joined(names, by: "or") }

    /// "a, b and c"
    package static func all(_ names: [String]) -> String { joined(names, by: "and") }

    /// Returns a sentence from a library, an engine or a server, without its final period.
    package static func clause(_ sentence: String) -> String {
        sentence.isEmpty ? "no reason was given" : sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    private static func joined(_ names: [String], by word: String) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
    }

    /// Returns a path quoted for a shell. It is always quoted, so that its end is visible.
    package static func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// Formats byte counts for users in powers of 1000, as is usual for disk sizes. All sizes shown to users are formatted
/// here.
package enum ByteCount {
    /// "999 bytes", "16.4 kB", "63.2 MB", "326 MB": at most three digits.
    package static func words(_ count: Int64) -> String {
        let count = max(0, count)
        if count < 1000 { return count == 1 ? "1 byte" : "\(count) bytes" }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var unit = 0
        // The value in tenths of a unit. A value that would be rounded to "1000" is shown in the next unit.
        var tenths = Int64((Double(count) / 100).rounded())
        while tenths >= 9995, unit + 1 < units.count {
            unit += 1
            tenths = Int64((Double(count) / 100 / power(unit)).rounded())
        }
        guard tenths >= 1000 else { return "\(tenths / 10).\(tenths % 10) \(units[unit])" }
        return "\((tenths + 5) / 10) \(units[unit])"
    }

    private static func power(_ unit: Int) -> Double { (0..<unit).reduce(1) { product, _ in product * 1000 } }
}

/// Returns the number, padded with leading zeros to `digits` digits.
package func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

extension FixedWidthInteger {
    /// Converts a number from an untrusted source: 0 for NaN, and the nearest representable value if it is out of
    /// range. In these cases, `init(_: Double)` would crash.
    package init(clamping value: Double) {
        if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }
}
