/// An option as data, whatever the type of its value. Two options of one command differ in their long names.
struct OptionDescription: Sendable {
    /// Without its dashes.
    let long: String
    let short: Character?
    /// Nil for an option without a value.
    let valueName: String?
    /// One phrase without a capital or a full stop.
    let help: String
    let isRepeatable: Bool
    let check: @Sendable (String) throws(ValueError) -> Void

    /// "--voice", for messages.
    var name: String { "--" + long }

    /// "-v, --voice VOICE", for help.
    var usage: String {
        let names = short.map { "-\($0), --\(long)" } ?? "    --\(long)"
        return valueName.map { "\(names) \($0)" } ?? names
    }
}
