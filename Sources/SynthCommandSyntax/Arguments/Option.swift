/// A command line option with the type of its value. The option is also the key for its value: `arguments[Options.rate]` is a `Double?`.
package struct Option<Value: Sendable>: DescribedOption {
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
    ///   - expectation: a description of valid values, worded to follow "must be".
    ///   - read: converts text to a value. Returns nil if the text is invalid.
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false,
        expecting expectation: String, read: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable,
            OptionValue(expectation: expectation, read: read))
    }
}

/// The type of an option's values.
package struct OptionValue<Value: Sendable>: Sendable {
    /// A description of valid values, worded to follow "must be".
    let expectation: String
    /// Converts text to a value. Returns nil if the text is invalid.
    package let read: @Sendable (String) -> Value?
}

extension Option where Value == String {
    package init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false
    ) {
        self.init(
            long, short: short, valueName, help, isRepeatable: isRepeatable, expecting: "non-empty text"
        ) { $0.isEmpty ? nil : $0 }
    }
}

/// A command line option without a value. It is also the key for its state: `arguments[Options.json]` is a `Bool`.
package struct Flag: DescribedOption {
    package let description: OptionDescription

    package init(_ long: String, short: Character? = nil, _ help: String) {
        description = OptionDescription(
            long: long, short: short, valueName: nil, help: help, isRepeatable: false, expectation: "",
            isValue: { _ in true })
    }
}

/// An option or a flag, as listed in the command tables.
package protocol DescribedOption: Sendable {
    var description: OptionDescription { get }
}

/// Returns the descriptions of options, in order.
func described(_ options: any DescribedOption...) -> [OptionDescription] { options.map(\.description) }

/// An option as data, without the type of its value. The long name is unique within a command.
package struct OptionDescription: DescribedOption {
    package var description: OptionDescription { self }

    /// The long name without its dashes.
    package let long: String
    package let short: Character?
    /// The name of the value in the help, or nil for an option without a value.
    package let valueName: String?
    /// The description of the option, as a phrase without an initial capital letter or a final period.
    package let help: String
    package let isRepeatable: Bool
    /// A description of valid values, worded to follow "must be".
    let expectation: String
    let isValue: @Sendable (String) -> Bool

    /// The option in messages, such as "--voice".
    package var name: String { "--" + long }

    /// The option in the help, such as "-v, --voice VOICE".
    package var usage: String {
        let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
        return valueName.map { "\(names) \($0)" } ?? names
    }
}

/// The parsed arguments of a command, with valid values.
package struct ParsedArguments: Equatable, Sendable {
    private var values: [String: [String]] = [:]
    /// The positional arguments, in order.
    package var positionals: [String] = []

    package init() {}

    /// Whether a flag is present.
    package subscript(flag: Flag) -> Bool {
        has(flag.description.long)
    }

    /// The last value of an option, or nil if the option is absent.
    package subscript<Value>(option: Option<Value>) -> Value? {
        self[all: option].last
    }

    /// The values of a repeatable option, in order.
    package subscript<Value>(all option: Option<Value>) -> [Value] {
        (values[option.description.long] ?? []).compactMap(option.value.read)
    }

    /// Whether the option with this long name is present.
    package func has(_ long: String) -> Bool {
        values[long] != nil
    }

    /// Adds a value for the option with this long name.
    package mutating func add(_ value: String, to long: String) {
        values[long, default: []].append(value)
    }
}
