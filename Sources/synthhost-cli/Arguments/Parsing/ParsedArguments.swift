/// The arguments of a command. Their values were checked when they were parsed.
struct ParsedArguments: Equatable, Sendable {
    private var values: [String: [String]] = [:]
    /// The arguments without a dash, in their order.
    var positionals: [String] = []

    init() {}

    subscript(flag: Flag) -> Bool {
        has(flag.description.long)
    }

    subscript<Value>(option: Option<Value>) -> Value? {
        self[all: option].last
    }

    /// The values of an option that may be repeated, in their order.
    subscript<Value>(all option: Option<Value>) -> [Value] {
        (values[option.description.long] ?? []).compactMap { try? option.convert($0) }
    }

    func has(_ long: String) -> Bool {
        values[long] != nil
    }

    mutating func add(_ value: String, to long: String) {
        values[long, default: []].append(value)
    }
}
