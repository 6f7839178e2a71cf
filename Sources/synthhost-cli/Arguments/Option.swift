/// An option of the command line with the type of its value. It is its own key: `arguments[Options.rate]` is a `Double?`.
struct Option<Value: Sendable>: Sendable {
    let description: OptionDescription
    let convert: @Sendable (String) throws(ValueError) -> Value

    init(
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
    init(
        _ long: String, short: Character? = nil, _ valueName: String, _ help: String, isRepeatable: Bool = false
    ) {
        self.init(long, short: short, valueName, help, isRepeatable: isRepeatable) { text throws(ValueError) in
            guard !text.isEmpty else { throw ValueError(expectation: "a text that is not empty") }
            return text
        }
    }
}
