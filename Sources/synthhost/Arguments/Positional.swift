/// An argument without a dash.
struct Positional: Equatable, Sendable {
    /// In capitals, as the usage line shows it.
    let name: String
    let help: String
    var isRequired = true
    /// Takes all that is left.
    var isRepeatable = false

    var usage: String {
        let text = isRepeatable ? name + "…" : name
        return isRequired ? text : "[\(text)]"
    }
}
