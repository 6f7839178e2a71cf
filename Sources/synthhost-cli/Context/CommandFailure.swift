package import SynthCommandSyntax
package import SynthHost
import SynthJSON
package import SynthSystem
import SynthTerminal

/// Why a command fails: the message, the next step, and the exit code.
package struct CommandFailure: Error {
    package let code: ExitCode
    /// nil = nothing is printed, for example if the reader of the output has ended.
    package let message: String?
    package let remedy: String

    package init(_ code: ExitCode, _ message: String?, _ remedy: String = "") {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The same with another exit code.
    package func with(_ code: ExitCode) -> CommandFailure { CommandFailure(code, message, remedy) }

    /// The same with an additional clause.
    ///
    /// - Parameter clause: "good.wav is unchanged"; nil = none.
    package func adding(_ clause: String?) -> CommandFailure {
        guard let message, let clause else { return self }
        return CommandFailure(
            code, (message.hasSuffix(".") ? String(message.dropLast()) : message) + "; \(clause).", remedy)
    }

    /// The text for people: the message on one line, the next step on another. nil = nothing is printed.
    var text: String? {
        guard let message else { return nil }
        let line = "synthhost: " + CleanText.line(message, limit: Self.longest)
        return remedy.isEmpty ? line : line + "\n" + CleanText.line(remedy, limit: Self.longest)
    }

    /// The event for programs, in the form of progress events.
    var json: String? {
        message.map { message in
            """
            {"event":"error","code":\(code.rawValue),"message":\(JSONString.quoted(message)),\
            "remedy":\(JSONString.quoted(remedy))}
            """
        }
    }

    /// The longest line, in Unicode scalars. External names can have any length.
    private static let longest = 4000

    /// The failure for any error that ends a command.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as UsageError: self.init(UsageError.exitCode, error.message, error.remedy)
        case let cause as any ErrorCause: self.init(cause, pull: nil)
        default: self.init(.failure, "The command failed: \(error).")
        }
    }

    /// The message of an error, with its remedy.
    ///
    /// - Parameter pull: the command that resumes a download; nil = the command that downloads only this voice.
    package init(_ cause: some ErrorCause, pull: String? = nil) {
        let isSilent = cause.code == .readerGone || cause.underlying as? TerminalError == .interrupted
        self.init(
            ExitCode(cause.code), isSilent ? nil : cause.message, cause.remedy?.command(pull: pull) ?? "")
    }

    /// A file that an argument names cannot be read.
    package init(unreadable path: String, _ error: Errno) {
        self.init(
            .inputMissing, SpeechError.notReadable(path, error).message,
            "Pass a file that exists and that you have permission to read.")
    }
}

extension VoiceReplacement {
    /// The failure, the voice that continues, and what to do, for the user of the command.
    package var commandFailure: CommandFailure {
        CommandFailure(.engineCrashed, sentence, error.nextStep)
    }
}
