/// An option of the command line with the type of its value. It is its own key: `arguments[Options.rate]` is a `Double?`.
package struct Option<Value: Sendable>: Sendable {
    package let description: OptionDescription
    package let convert: @Sendable (String) throws(ValueError) -> Value

    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false,
        convert: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        self.convert = convert
        description = OptionDescription(
            long: long, short: short, valueName: valueName, help: help, isRepeatable: isRepeatable,
            check: { text throws(ValueError) in _ = try convert(text) })
    }
}

extension Option where Value == String {
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false
    ) {
        self.init(long, short: short, valueName, help, isRepeatable: isRepeatable) { text throws(ValueError) in
            guard !text.isEmpty else { throw ValueError(expectation: "a text that is not empty") }
            return text
        }
    }
}

/// An option of the command line without a value. It is its own key: `arguments[Options.json]` is a `Bool`.
package struct Flag: Sendable {
    package let description: OptionDescription

    package init(_ long: String, short: Character? = nil, _ help: String) {
        description = OptionDescription(
            long: long, short: short, valueName: nil, help: help, isRepeatable: false, check: { _ in })
    }
}

/// An option as data, without the type of its value. The options of a command have different long names.
package struct OptionDescription: Sendable {
    /// Without its dashes.
    package let long: String
    package let short: Character?
    /// nil for an option without a value.
    package let valueName: String?
    /// One phrase without a capital or a full stop.
    package let help: String
    package let isRepeatable: Bool
    package let check: @Sendable (String) throws(ValueError) -> Void

    /// "--voice", for messages.
    package var name: String { "--" + long }

    /// "-v, --voice VOICE", for help.
    package var usage: String {
        let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
        return valueName.map { "\(names) \($0)" } ?? names
    }
}

/// Why a text is not a valid value of an option.
package struct ValueError: Error, Equatable, Sendable {
    /// What would have been right, to follow "must be".
    package let expectation: String
}

/// The arguments of a command. Their values were checked when they were parsed.
package struct ParsedArguments: Equatable, Sendable {
    private var values: [String: [String]] = [:]
    /// The arguments without a dash, in their order.
    package var positionals: [String] = []

    package init() {}

    package subscript(flag: Flag) -> Bool {
        has(flag.description.long)
    }

    package subscript<Value>(option: Option<Value>) -> Value? {
        self[all: option].last
    }

    /// The values of an option that may be repeated, in their order.
    package subscript<Value>(all option: Option<Value>) -> [Value] {
        (values[option.description.long] ?? []).compactMap { try? option.convert($0) }
    }

    package func has(_ long: String) -> Bool {
        values[long] != nil
    }

    package mutating func add(_ value: String, to long: String) {
        values[long, default: []].append(value)
    }
}
