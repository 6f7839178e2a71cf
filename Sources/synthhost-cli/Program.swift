import Glibc
import SynthCommandSyntax
import SynthHost
import SynthSpeechDispatcher
import SynthScript
import SynthSystem
import SynthTerminal

/// Parses the command line, runs the command, and prints errors with the next step.
@main
package struct Program {
    static func main() {
        if ModuleProgram.isStarted { ModuleProgram.run() }
        StandardStreams.open()
        // Make a write beyond the file size limit fail instead of killing the program.
        signal(SIGXFSZ, SIG_IGN)
        let context = CommandContext.ofProcess()
        exit(run(RawArguments.words, in: context).rawValue)
    }

    /// Runs a command line and returns its exit code. Blocks until the command ends.
    package static func run(_ words: [String], in context: CommandContext) -> Int32 {
        run({ words }, in: context).rawValue
    }

    private static func run(
        _ words: () throws -> [String], in context: CommandContext
    ) -> ExitCode {
        var context = context
        do {
            let words = try words()
            // Check for `--json` before parsing, because parse errors are reported as JSON too.
            context.reportsAsJSON = words.prefix { $0 != "--" }.contains("--json")
            switch try ArgumentParser.parse(words) {
            case .version:
                try context.print("synthhost \(context.version)")
            case .versions(let arguments):
                try context.checkEnvironment()
                for line in PartVersions(context: context.obeying(arguments)).lines() { try context.print(line) }
            case .help(let path):
                if words.isEmpty { try refuseText(on: context.input) }
                try context.print(text: HelpText.render(for: path, width: context.output.width))
            case .manual(let words):
                try context.print(text: ManualPage.render(for: words, version: context.version))
            case .completions(let script):
                try context.print(text: script.text)
            case .complete(let words):
                for line in try CompletionText.lines(of: Completion(of: words), in: context) {
                    try context.print(data: line)
                }
            case .run(let name, let arguments):
                try context.checkEnvironment()
                try name.command.init(context: context.obeying(arguments)).run()
            }
            return .done
        } catch {
            var failure = CommandFailure(error)
            if failure.code == .interrupted { failure = failure.with(context.interruption.exitCode) }
            context.report(failure)
            return failure.code
        }
    }

    /// Throws if text is piped to the program without a command, so that the text is not dropped silently.
    private static func refuseText(on input: Int32) throws {
        var status = stat()
        guard fstat(input, &status) == 0, [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        throw CommandFailure(
            .usage, "No command was given for standard input.",
            "`synthhost help` lists the commands. To speak the text, use `speak`, as in: date | synthhost speak"
        )
    }

}

extension CommandName {
    var command: any Command.Type {
        switch self {
        case .speak: SpeakCommand.self
        case .play: PlayCommand.self
        case .read: ReadCommand.self
        case .stop: StopCommand.self
        case .book: BookCommand.self
        case .batch: BatchCommand.self
        case .listen: ListenCommand.self
        case .transcribe: TranscribeCommand.self
        case .recognizers: RecognizersCommand.self
        case .mcp: MCPCommand.self
        case .serve: ServeCommand.self
        case .voices: VoicesCommand.self
        case .voicesChoose: VoicesChooseCommand.self
        case .voicesFavorite: VoicesFavoriteCommand.self
        case .voicesUnfavorite: VoicesUnfavoriteCommand.self
        case .voicesHide: VoicesHideCommand.self
        case .voicesUnhide: VoicesUnhideCommand.self
        case .setup: SetupCommand.self
        case .modelsList: ModelsListCommand.self
        case .modelsPull: ModelsPullCommand.self
        case .modelsRemove: ModelsRemoveCommand.self
        case .modelsVerify: ModelsVerifyCommand.self
        case .modelsPrune: ModelsPruneCommand.self
        case .modelsAdd: ModelsAddCommand.self
        case .modelsPath: ModelsPathCommand.self
        case .modelsRegistry: ModelsRegistryCommand.self
        case .enginesList: EnginesListCommand.self
        case .enginesShow: EnginesShowCommand.self
        case .enginesAllow: EnginesAllowCommand.self
        case .enginesDeny: EnginesDenyCommand.self
        case .enginesValidate: EnginesValidateCommand.self
        case .configGet: ConfigGetCommand.self
        case .configSet: ConfigSetCommand.self
        case .configUnset: ConfigUnsetCommand.self
        case .configPath: ConfigPathCommand.self
        case .configShow: ConfigShowCommand.self
        case .doctor: DoctorCommand.self
        case .help: HelpCommand.self
        }
    }
}

/// The unmodified command line. `CommandLine.arguments` silently repairs words that are not UTF-8.
enum RawArguments {
    /// The words after the program's name.
    static func words() throws -> [String] {
        var words: [String] = []
        for argument in ProcessArguments.raw { words.append(try word(argument, number: words.count + 1)) }
        return words
    }

    private static func word(_ argument: UnsafePointer<CChar>, number: Int) throws -> String {
        let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
        var validator = UTF8Validator()
        do {
            try validator.validate(bytes.assumingMemoryBound(to: UInt8.self).span)
            try validator.finish()
        } catch {
            throw CommandFailure(
                .usage, "Argument \(number) is not UTF-8: invalid byte at offset \(validator.offset).",
                "If the argument is a file name, rename the file. If it is text, store it in a file, and convert that "
                    + "file: iconv -f latin1 -t utf-8 FILE | synthhost speak"
            )
        }
        return String(cString: argument)
    }
}

/// The three standard descriptors.
enum StandardStreams {
    /// Opens closed standard descriptors, so that no other file or socket gets their numbers. Output to standard output fails if the
    /// descriptor was closed, because the output would be lost. Messages to a closed standard error are dropped.
    static func open() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = Glibc.open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }
}
