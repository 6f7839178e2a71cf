/// Which options exclude or require each other on a command line.
enum UsageRule: Equatable, Sendable {
    case excludes(OptionName, OptionName)
    case excludesArguments(OptionName)
    case requires(OptionName, OptionName)

    /// The long name of an option, taken from the option itself so that it cannot be misspelt.
    struct OptionName: Equatable, Sendable {
        let long: String

        static func of<Value>(_ option: Option<Value>) -> OptionName { OptionName(long: option.description.long) }
        static func of(_ flag: Flag) -> OptionName { OptionName(long: flag.description.long) }
    }
}
