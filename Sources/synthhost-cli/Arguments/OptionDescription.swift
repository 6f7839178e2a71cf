/// An option as data, without the type of its value. The options of a command have different long names.
struct OptionDescription: Sendable {
    /// Without its dashes.
    let long: String
    let short: Character?
    /// nil for an option without a value.
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
