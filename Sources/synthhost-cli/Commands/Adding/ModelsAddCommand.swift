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
        if !isDescribed {
            let known = try attempt { () throws(StoreError) in try KnownVoices(paths, in: library, addition) }
            wait.show(label)
            if let model = known.lonelyModel { throw lonely(model, paths, library) }
            if !known.voices.isEmpty {
                wait.end()
                return try adopt(known, library, cancellation)
            }
        }
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

    /// Whether the user says what the voice is.
    private var isDescribed: Bool {
        arguments[Options.addedID] != nil || arguments[Options.addedName] != nil
            || arguments[Options.addedLanguage] != nil || arguments[Options.addedEngine] != nil
    }

    /// Makes the registry's voices ready with the user's files. What is not among them is downloaded.
    private func adopt(
        _ known: KnownVoices, _ library: VoiceLibrary, _ cancellation: Cancellation
    ) throws(CommandFailure) {
        let download = VoiceDownload(context, arguments, library, cancellation)
        for voice in known.voices {
            let word = library.word(for: voice)
            if library.store.isInstalled(voice) {
                download.measure(voice)
            } else {
                try download.pull(voice, word: word, offering: known.files)
            }
            guard !arguments[Options.quiet] else { continue }
            context.say("It is \(voice.title) of the registry, byte for byte, and is called so.")
            context.say("To hear it, type: synthhost speak -v \(ShellWord.quoted(word)) \"Hello\"")
        }
    }

    private func lonely(_ model: Model, _ paths: [String], _ library: VoiceLibrary) -> CommandFailure {
        let voices = library.registry.voices.filter { voice in
            voice.model.map { $0.id == model.id || $0.family == model.family } ?? false
        }
        let precision = model.precision.map { " --precision \($0)" } ?? ""
        let first = voices.first.map { ShellWord.quoted(library.word(for: $0)) } ?? "VOICE"
        let examples = voices.first.map { ", \(voices.count == 1 ? "" : "such as ")\($0.title)" } ?? ""
        let count = voices.count == 1 ? "a voice" : "\(voices.count) voices"
        return CommandFailure(
            .usage,
            "\(paths[0]) is the model of \(count) of \(model.engine)\(examples), and no voice by itself.",
            "Name files of voices after it, or type: synthhost models pull \(first)\(precision)")
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

/// Finds out which of the user's files are those of voices that the registry has, by their digests.
struct KnownVoices {
    /// Those whose own files are there, and what they share if they share a model.
    private(set) var voices: [Voice] = []
    /// A model of the registry that is there without the files of a voice.
    private(set) var lonelyModel: Model?
    /// The files that may be theirs.
    let files: [String]

    /// Blocks while files are read, of which there are none if no file is as long as one of the registry.
    init(_ paths: [String], in library: VoiceLibrary, _ addition: Addition) throws(StoreError) {
        let files = Self.candidates(paths)
        self.files = files
        let sizes = Set(files.compactMap(addition.size))
        var found: [Digest: Bool] = [:]
        func isHere(_ wanted: ModelFile) throws(StoreError) -> Bool {
            guard sizes.contains(wanted.size) else { return false }
            if let known = found[wanted.digest] { return known }
            var here = false
            for file in files where !here { here = try addition.holds(file, wanted) }
            found[wanted.digest] = here
            return here
        }
        func isHere(_ wanted: [ModelFile]) throws(StoreError) -> Bool {
            guard let main = wanted.max(by: { $0.size < $1.size }) else { return false }
            return try isHere(main)
        }
        for model in library.registry.models where lonelyModel == nil {
            if try isHere(model.files) { lonelyModel = model }
        }
        for voice in library.registry.voices where voice.unsupported == nil {
            guard let own = voice.model else {
                if try isHere(voice.files) { voices.append(voice) }
                continue
            }
            let used = ([own] + library.registry.precisions(of: voice)).first { lonelyModel?.id == $0.id }
            guard let used else { continue }
            let isWhole = try voice.files.isEmpty ? true : isHere(voice.files)
            if isWhole { voices.append(voice.using(used)) }
        }
        if !voices.isEmpty || paths.count != 1 || isFolder(paths[0]) { lonelyModel = nil }
    }

    /// A file with its description beside it, or all files of a folder.
    private static func candidates(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            isFolder(path) ? FolderListing.names(in: path).map { "\(path)/\($0)" } : [path, path + ".json"]
        }
    }
}
