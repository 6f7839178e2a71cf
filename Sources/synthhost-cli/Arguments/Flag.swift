/// An option of the command line without a value. It is its own key: `arguments[Options.json]` is a `Bool`.
struct Flag: Sendable {
    let description: OptionDescription

    init(_ long: String, short: Character? = nil, _ help: String) {
        description = OptionDescription(
            long: long, short: short, valueName: nil, help: help, isRepeatable: false, check: { _ in })
    }
}
