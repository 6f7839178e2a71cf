/// English text that a ``PhraseBook`` can translate. A string literal can be used as a phrase. In its key, `%1` stands
/// for the first interpolated value and `%2` for the second: "Saved in \(path)." has the key "Saved in %1.".
package struct Phrase: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// The English text, with placeholders for the arguments.
    package let key: String
    package let arguments: [String]

    package init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }

    package init(stringLiteral value: String) { self.init(key: value) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(key: stringInterpolation.key, arguments: stringInterpolation.arguments)
    }

    /// Collects the values of an interpolated literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var arguments: [String] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            key.reserveCapacity(literalCapacity + 2 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { key += literal }

        package mutating func appendInterpolation<Value>(_ value: Value) {
            arguments.append("\(value)")
            key += "%\(arguments.count)"
        }
    }
}

/// The text of a program in one language. Call the book with a phrase to get its text: `localized("Paused")`.
package struct PhraseBook: Sendable {
    /// The translations by key. A phrase without a translation stays in English.
    package let texts: [String: String]
    private let decimalMark: String

    package static let english = PhraseBook([:])

    package init(_ texts: [String: String], decimalMark: String = ".") {
        self.texts = texts
        self.decimalMark = decimalMark
    }

    package func callAsFunction(_ phrase: Phrase) -> String {
        let text = texts[phrase.key] ?? phrase.key
        return phrase.arguments.isEmpty ? text : Self.insert(phrase.arguments, into: text)
    }

    /// Replaces the decimal point in a number with the language's decimal mark. The number may be followed by a unit,
    /// as in "8.1 MB".
    package func callAsFunction(number: String) -> String { number.replacing(".", with: decimalMark) }

    /// Replaces the language's decimal mark with a decimal point in a number that the user typed.
    package func plain(number: String) -> String { number.replacing(decimalMark, with: ".") }

    /// Replaces the placeholders. Placeholders in the arguments are not replaced.
    private static func insert(_ arguments: [String], into text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "%") {
            result.append(contentsOf: rest[..<mark])
            rest = rest[mark...].dropFirst()
            if let number = rest.first?.wholeNumberValue, arguments.indices.contains(number - 1) {
                result.append(contentsOf: arguments[number - 1])
                rest = rest.dropFirst()
            } else {
                result.append("%")
            }
        }
        result.append(contentsOf: rest)
        return result
    }
}
