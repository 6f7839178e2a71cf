import Glibc
import SynthCommandParts
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost read`: a text is read aloud while the user follows it on the terminal and steers.
package struct ReadCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        let mailbox = try Reader.Mailbox()
        // The terminal is put back before anything else can end the program.
        let closing = Monitor<(@Sendable () -> Void)?>(nil)
        context.interruption.handle({ cancellation.cancel() }, leaving: { closing.read { $0 }?() })
        cancellation.set { mailbox.wake.signal() }
        let source = try ReadingSource(context, arguments)
        let configuration = try context.configuration(arguments)
        let use = ServiceUse()
        let host = try use.host(context, arguments, configuration, isAwaited: true)
        if case .file(let path) = source { context.inUse.add(path: path, as: .text) }
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        try context.devices.probe(configuration.device ?? "default")
        let playing = PlayingMark(context, "read")
        defer { withExtendedLifetime(playing) {} }

        let draws = context.output.style.allowsAnimation && context.errors.style.allowsAnimation
        let face = ReaderFace(context, draws: draws, isQuiet: arguments[Options.quiet], mailbox.wake)
        closing.update { $0 = face.close }
        let inventory = host.inventory()
        let reader = Reader(
            context, arguments, configuration, host, inventory, name: source.name, mailbox, cancellation, face)
        // Whatever would be a message would be in the middle of the screen.
        var quiet = context
        quiet.errors = TextOutput(style: .plain) { text throws(TerminalError) in
            mailbox.send(.event(.note(CleanText.line(text))))
        }
        startThread("opening") { [quiet, arguments] in
            do {
                try Self.open(source, quiet, arguments, configuration, inventory, mailbox)
            } catch {
                mailbox.send(.failed(CommandFailure(error)))
            }
        }
        defer { host.abandonEngines() }
        do {
            try reader.run()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Reads the document, and finds the voice that reads it.
    private static func open(
        _ source: ReadingSource, _ context: CommandContext, _ arguments: ParsedArguments,
        _ configuration: Configuration,
        _ inventory: Inventory, _ mailbox: Reader.Mailbox
    ) throws {
        let read = try source.read(context, arguments)
        let text = ReadText(title: read.document.title, name: source.name, read.chosen, read.languages(arguments))
        guard text.firstSentence(from: 0) != nil else { throw SpeechError.nothingToSay }
        mailbox.send(.opened(text))
        var asked = AskedVoice(
            context: context, arguments: arguments, inventory: inventory, configuration: configuration)
        try asked.take(languagesOf: read)
        let settings = try SpokenSettings(arguments, configuration, inventory, fallsBack: false) { _ in }
        mailbox.send(.voices(asked, settings))
        mailbox.send(try asked.message(for: try asked.choose()))
    }
}
