/// An argument without a dash.
struct Positional: Equatable, Sendable {
    /// In capitals, as the usage line shows it.
    let name: String
    let help: String
    var isRequired = true
    /// Takes all remaining arguments.
    var isRepeatable = false
    /// What a shell completes it with; nil = what its name implies.
    var completion: CompletedValue?

    var value: CompletedValue { completion ?? CompletedValue(named: name) }

    var usage: String {
        let text = isRepeatable ? name + "…" : name
        return isRequired ? text : "[\(text)]"
    }
}
