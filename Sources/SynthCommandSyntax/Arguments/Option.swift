/// An option of the command line with the type of its value. It is its own key: `arguments[Options.rate]` is a `Double?`.
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
    ///   - expectation: what would be right, to follow "must be".
    ///   - read: what a text means; nil = it is not right.
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false,
        expecting expectation: String, read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable,
            OptionValue(expectation: expectation, read: read))
    }
}

/// What the value of an option may be.
package struct OptionValue<Value: Sendable>: Sendable {
    /// What is right, to follow "must be".
    let expectation: String
    /// What a text means; nil = it is not right.
    package let read: @Sendable (String) -> Value?
}

extension Option where Value == String {
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable, expecting: "a text that is not empty"
        ) { $0.isEmpty ? nil : $0 }
    }
}

/// An option of the command line without a value. It is its own key: `arguments[Options.json]` is a `Bool`.
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
    /// Without its dashes.
    package let long: String
    package let short: Character?
    /// nil for an option without a value.
    package let valueName: String?
    /// One phrase without a capital or a full stop.
    package let help: String
    package let isRepeatable: Bool
    /// What a value must be, as the end of a sentence.
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
        (values[option.description.long] ?? []).compactMap(option.value.read)
    }

    package func has(_ long: String) -> Bool {
        values[long] != nil
    }

    package mutating func add(_ value: String, to long: String) {
        values[long, default: []].append(value)
    }
}
