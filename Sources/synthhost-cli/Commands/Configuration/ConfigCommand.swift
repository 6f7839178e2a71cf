import Engines
import SynthHost
import Terminal

/// `synthhost config …`: the configuration file.
struct ConfigCommand {
    private let context: CommandContext
    private let arguments: ParsedArguments
    private let file: ConfigurationFile

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
        // A file that `set` is to make need not be there.
        file = ConfigurationFile(path: context.configurationFile(arguments).path)
    }

    func path() throws(CommandFailure) { try context.print(data: file.path) }

    func get() throws(CommandFailure) {
        let value = try attempt { () throws(ConfigurationError) in try file.value(of: key) }
        if let value { try context.print(data: value) }
    }

    func set() throws(CommandFailure) {
        let value = arguments.positionals.last ?? ""
        try attempt { () throws(ConfigurationError) in try ConfigurationFile.check(key, value) }
        let warning = try ConfigurationCheck(context, arguments).warning(about: key, value)
        try attempt { () throws(ConfigurationError) in try file.set(key, to: value) }
        if let warning { context.say(warning) }
    }

    func unset() throws(CommandFailure) {
        let wasSet = try attempt { () throws(ConfigurationError) in try file.unset(key) }
        if !wasSet { context.say("\(key) was not set.") }
    }

    func show() throws(CommandFailure) {
        var table = Table(columns: [
            .init("KEY", worth: .name), .init("VALUE", worth: .name), .init("SET"), .init("MEANING"),
        ])
        for entry in try attempt({ () throws(ConfigurationError) in try file.show() }) {
            table.append([entry.path, entry.value ?? "", entry.isSet ? "yes" : "", entry.help])
        }
        try context.print(text: table.render(for: context.output))
    }

    private var key: String { arguments.positionals.first ?? "" }

    private func attempt<Value>(
        _ body: () throws(ConfigurationError) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(ExitCode(error), error.message, error.remedy)
        }
    }
}
