import SynthSystem

/// An invalid command line.
package struct UsageError: Error, Equatable, Sendable {
    /// The kind of error, with the words to quote in the message.
    package enum Reason: Equatable, Sendable {
        case unknownCommand(String, nearest: String?)
        /// - Parameter speaking: the command that speaks the words, in case the user meant to speak them.
        case noCommand(String, nearest: String?, speaking: [String])
        case missingCommand
        case unknownOption(String, nearest: String?)
        case missingValue(option: String, valueName: String, next: String?)
        case unexpectedValue(option: String)
        case invalidValue(option: String, value: String, expectation: String)
        case repeatedOption(String)
        case unexpectedArgument(String)
        case missingArgument(String)
        case exclusive(String, String)
        case requires(String, String)
        /// An argument that an MCP client passed to a tool is invalid. The value is a sentence that describes the error.
        case ofTool(String)
    }

    package let reason: Reason
    /// The part of the command line that was recognized as a command, such as "synthhost speak".
    package let command: String

    package static let exitCode = ExitCode.usage

    init(_ reason: Reason, command: String) {
        self.reason = reason
        self.command = command
    }

    package init(ofTool message: String) { self.init(.ofTool(message), command: "synthhost mcp") }

    /// A sentence that describes the error.
    package var message: String {
        switch reason {
        case .unknownCommand(let word, _): "Unknown command \(word)."
        case .noCommand(let word, _, _): "\(ShellWord.quoted(word)) is not a command."
        case .missingCommand: "\(command) needs a command."
        case .unknownOption(let option, _): "Unknown option \(option)."
        case .missingValue(let option, let valueName, _): "Option \(option) needs a value: \(option) \(valueName)."
        case .unexpectedValue(let option): "Option \(option) takes no value."
        case .invalidValue(let option, let value, let expectation):
            "The value of \(option) must be \(expectation), not \"\(value)\"."
        case .repeatedOption(let option): "Option \(option) was given twice."
        case .unexpectedArgument(let argument): "Unexpected argument \"\(argument)\"."
        case .missingArgument(let name): "\(command) needs \(name)."
        case .exclusive(let first, let second): "\(first) and \(second) cannot be used together."
        case .requires(let first, let second): "\(first) needs \(second)."
        case .ofTool(let message): message
        }
    }

    /// Advice, with a command to try next.
    package var remedy: String {
        let help = "`\(command) --help`"
        switch reason {
        case .unknownCommand(_, let nearest):
            return (nearest.map { "Did you mean \($0)? " } ?? "") + "\(help) lists the commands."
        case .unknownOption(_, let nearest):
            return (nearest.map { "Did you mean \($0)? " } ?? "") + "\(help) lists the options."
        case .noCommand(_, let nearest, let words):
            let line = ([command] + words.map(ShellWord.quoted)).joined(separator: " ")
            let guess = nearest.map { "Did you mean \($0)? To speak the text, type: " } ?? "Did you mean: "
            return "\(help) lists the commands. \(guess)\(line)"
        case .missingCommand: return "\(help) lists the commands."
        case .missingValue(let option, _, let next?): return "If the value is \(next), type \(option)=\(next)."
        case .exclusive: return "Omit one of them; \(help) describes both."
        case .requires(_, let second): return "Add \(second); \(help) describes it."
        default: return "\(help) shows the usage."
        }
    }
}
