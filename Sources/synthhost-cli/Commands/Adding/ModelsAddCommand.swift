import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// `synthhost models add`: adds the user's own voices. They are copied and tried before they are installed.
struct ModelsAddCommand: Command {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle { cancellation.cancel() }
        let paths = arguments.positionals
        for path in paths { try check(path) }
        let named = paths.count == 1 ? paths.first.map { OwnFiles.plainName(of: $0) } : nil
        let label = "Adding \(named ?? "\(paths.count) files")"
        let wait = ShownWait(context, arguments, label)
        defer { wait.end() }
        let library = try VoiceLibrary(context, arguments)
        let addition = try attempt { () throws(StoreError) in try library.store.beginAdding() }
        defer { addition.discard() }
        cancellation.set { addition.cancel() }
        let taken = try OwnVoices(arguments, library, addition).take(paths)
        try VoiceTrial(library, cancellation, command: command(paths), wait).run(taken)
        wait.show(label)
        if cancellation.isRequested { throw Self.interruption }
        let added = try attempt { () throws(StoreError) in try addition.commit() }
        LoudnessCheck(context, arguments, library.inventory, cancellation).measure(added.map(\.voice), during: wait)
        wait.end()
        guard !arguments[Options.quiet] else { return }
        let words = try VoiceLibrary(context, arguments)
        if let wanted = arguments[Options.addedID], let own = added.first?.voice.id, own != wanted {
            context.say("\(wanted) is a voice of the registry, so the id of yours is \(own).")
        }
        for voice in added.map(\.voice) {
            let word = ShellWord.quoted(words.word(for: voice))
            context.say("\(voice.title) is ready. To hear it, type: synthhost speak -v \(word) \"Hello\"")
        }
    }

    /// The same command without an id and a name.
    private func command(_ paths: [String]) -> String {
        var words = paths
        if let language = arguments[Options.addedLanguage] { words += ["--language", language] }
        if let engine = arguments[Options.addedEngine] { words += ["--engine", engine] }
        return (["synthhost", "models", "add"] + words.map(ShellWord.quoted)).joined(separator: " ")
    }

    private func check(_ path: String) throws(CommandFailure) {
        let files = OwnFiles(path, [:])
        guard files.exist else {
            throw CommandFailure(.inputMissing, "\(path) is not there.", "Name a file, a folder or an archive.")
        }
        guard files.isOrdinary else {
            throw CommandFailure(
                .inputMissing, "\(path) is no ordinary file but a pipe, a socket or a device.",
                "Name a file, a folder or an archive.")
        }
    }

    static let interruption = CommandFailure(
        .interrupted, "Nothing was added.", "To add it, run the same command again.")

    private func attempt<Value>(_ body: () throws(StoreError) -> Value) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw error.kind == .cancelled ? Self.interruption : CommandFailure(error)
        }
    }
}
