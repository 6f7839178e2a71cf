/// An argument without a dash.
struct Positional: Equatable, Sendable {
    /// In capitals, as the usage line shows it.
    let name: String
    let help: String
    var isRequired = true
    /// Takes all that is left.
    var isRepeatable = false
    /// What a shell offers for it; nil = what its name says.
    var completion: CompletedValue?

    var value: CompletedValue { completion ?? CompletedValue(named: name) }

    var usage: String {
        let text = isRepeatable ? name + "…" : name
        return isRequired ? text : "[\(text)]"
    }
}
