/// A command line option with the type of its value. The option is also the key of its value: `arguments[Options.rate]` is a `Double?`.
package struct Option<Value: Sendable>: Sendable {
    package let description: OptionDescription
    package let value: OptionValue<Value>

    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false,
        _ value: OptionValue<Value>
    ) {
        self.value = value
        description = OptionDescription(
            long: long, short: short, valueName: valueName, help: help, isRepeatable: isRepeatable,
            expectation: value.expectation, isValue: { value.read($0) != nil })
    }

    /// - Parameters:
    ///   - expectation: a description of valid values, to follow "must be".
    ///   - read: converts a text to a value; nil = the text is invalid.
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false,
        expecting expectation: String, read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable,
            OptionValue(expectation: expectation, read: read))
    }
}

/// The valid values of an option.
package struct OptionValue<Value: Sendable>: Sendable {
    /// A description of valid values, to follow "must be".
    let expectation: String
    /// Converts a text to a value; nil = the text is invalid.
    package let read: @Sendable (String) -> Value?
}

extension Option where Value == String {
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable, expecting: "a non-empty text"
        ) { $0.isEmpty ? nil : $0 }
    }
}

/// A command line option without a value. It is also the key of its state: `arguments[Options.json]` is a `Bool`.
package struct Flag: Sendable {
    package let description: OptionDescription

    package init(_ long: String, short: Character? = nil, _ help: String) {
        description = OptionDescription(
            long: long, short: short, valueName: nil, help: help, isRepeatable: false, expectation: "",
            isValue: { _ in true })
    }
}

/// An option as data, without the type of its value. The options of a command have different long names.
package struct OptionDescription: Sendable {
    /// The name without its dashes.
    package let long: String
    package let short: Character?
    /// nil for an option without a value.
    package let valueName: String?
    /// One phrase without a capital letter or a full stop.
    package let help: String
    package let isRepeatable: Bool
    /// A description of valid values, as the end of a sentence.
    let expectation: String
    let isValue: @Sendable (String) -> Bool

    /// "--voice", for messages.
    package var name: String { "--" + long }

    /// "-v, --voice VOICE", for help.
    package var usage: String {
        let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
        return valueName.map { "\(names) \($0)" } ?? names
    }
}

/// The arguments of a command. The parser has already checked their values.
package struct ParsedArguments: Equatable, Sendable {
    private var values: [String: [String]] = [:]
    /// The arguments without a dash, in order.
    package var positionals: [String] = []

    package init() {}

    /// Whether a flag is present.
    package subscript(flag: Flag) -> Bool {
        has(flag.description.long)
    }

    /// The last value of an option; nil = it is absent.
    package subscript<Value>(option: Option<Value>) -> Value? {
        self[all: option].last
    }

    /// The values of a repeatable option, in order.
    package subscript<Value>(all option: Option<Value>) -> [Value] {
        (values[option.description.long] ?? []).compactMap(option.value.read)
    }

    /// Whether an option with this long name is present.
    package func has(_ long: String) -> Bool {
        values[long] != nil
    }

    /// Adds a value of the option with this long name.
    package mutating func add(_ value: String, to long: String) {
        values[long, default: []].append(value)
    }
}
