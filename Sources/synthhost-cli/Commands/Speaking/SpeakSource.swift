import Glibc
import SynthAudio
import SynthBooks
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// The source of the text for `speak`: the arguments, the file or standard input, in this order of precedence.
struct SpeakSource: CommandPart {
    let context: CommandContext
    private let clips: ClipLibrary

    init(_ context: CommandContext, _ configuration: Configuration) throws {
        self.context = context
        clips = try context.clips(configuration)
    }

    /// - Parameter cancellation: cancels a question to the user.
    func open(_ cancellation: Cancellation) throws -> SpeakText {
        let file = arguments[Options.file]
        if file == nil, arguments.positionals.isEmpty, isatty(context.input) == 1 {
            throw CommandFailure(
                .usage, "No text was specified.",
                "Type: synthhost speak \"Hello, world\", or synthhost speak -f FILE")
        }
        let meant = FileNameAsText(arguments)
        let isMeant = try meant?.isWanted(context, cancellation) ?? false
        if let path = isMeant ? meant?.path : file, form(of: nil) == nil, path != "-" {
            let form = DocumentForm(path: path)
            // Plain text and Markdown also have chapters, but become documents only if an option needs the chapters.
            let isTaken =
                arguments[Options.chapters] != nil || !arguments[all: Options.skip].isEmpty
                || arguments[Options.notes] || arguments[Options.skipFrontMatter]
            if isTaken || form.map({ $0 != .markdown }) ?? false { return try document(path, form) }
        }
        if isMeant, let meant { return try text(path: meant.path) }
        if !arguments.positionals.isEmpty {
            let text = arguments.positionals.joined(separator: " ")
            guard let form = form(of: nil) else { return .plain(try CompleteText(text)) }
            return .script(
                try ScriptSource(
                    try SpokenScript(Array(text.utf8), as: form), clips: clips.with(.below("."))))
        }
        if let file, file != "-" { return try text(path: file) }
        let input = try rethrowing(context.standardInput()) { SpeechError.notReadable("Standard input", $0) }
        return try text(input, name: "Standard input", form(of: nil), .names)
    }

    /// Returns the selected chapters of a book or page.
    private func document(_ path: String, _ form: DocumentForm?) throws -> SpeakText {
        let read = try ReadDocument(context, path: path, form)
        let script = DocumentScript(read.chosen.map { $0.chapter.blocks[...] }, read.languages).script
        return .document(try ScriptSource(script, file: RegularFile(path: path)), read)
    }

    private func text(path: String) throws(SpeechError) -> SpeakText {
        let input = try rethrowing(Descriptor.open(path, O_RDONLY)) { SpeechError.notReadable(path, $0) }
        return try text(input, name: path, form(of: path), .below(LinkTarget.folder(of: path)))
    }

    private func text(
        _ input: consuming Descriptor, name: String, _ form: SpeechForm?, _ scope: ClipScope
    ) throws(SpeechError) -> SpeakText {
        guard let form else { return .plain(try TextReader(input, name: name)) }
        let file = RegularFile(descriptor: input.raw)
        let document = try ScriptFile.read(input, name: name)
        return .script(
            try ScriptSource(try SpokenScript(document, as: form), clips: clips.with(scope), file: file))
    }

    /// Returns the format from the options or the file's extension, or nil for plain text.
    private func form(of path: String?) -> SpeechForm? {
        if arguments[Options.ssml] { return .ssml }
        let isMarkdown = arguments[Options.markdown] || path.map { SpeechForm(path: $0) == .markdown } ?? false
        if isMarkdown { return arguments[Options.tokens] ? .markdownWithTokens : .markdown }
        if arguments[Options.tokens] { return .tokens }
        return path.flatMap { SpeechForm(path: $0) }
    }
}

/// The text of `speak`: plain text, or a parsed script.
enum SpeakText {
    case plain(any TextSource)
    case script(ScriptSource)
    /// The chapters of a document.
    case document(ScriptSource, ReadDocument)

    var source: any TextSource {
        switch self {
        case .plain(let source): source
        case .script(let script), .document(let script, _): script
        }
    }

    /// The document from which the text was read, or nil if it was not read from one.
    var document: ReadDocument? { if case .document(_, let read) = self { read } else { nil } }

    /// Whether the text contains phonemes without alternative words.
    var needsPhonemes: Bool {
        if case .script(let script) = self { script.hasBarePhonemes } else { false }
    }
}

/// A text argument that is the name of an existing file. A user who types `speak notes.md` probably means the file's contents.
struct FileNameAsText {
    let path: String

    /// Returns nil if the text is not the name of a file, or if it may be an ordinary word.
    init?(_ arguments: ParsedArguments) {
        guard arguments.positionals.count == 1, let word = arguments.positionals.first,
            word.contains(where: { $0 == "." || $0 == "/" }), !word.contains(where: \.isNewline),
            RegularFile(path: word) != nil
        else { return nil }
        path = word
    }

    /// Asks the user whether to read the file. Throws an error if the user cannot be asked.
    func isWanted(_ context: CommandContext, _ cancellation: Cancellation) throws -> Bool {
        if context.canAsk {
            let answer = try Question(context: context, cancellation: cancellation).ask {
                prompt in
                try prompt.confirm("\(path) is a file. Speak its contents?", default: true)
            }
            if let answer { return answer }
        }
        let word = ShellWord.quoted(path)
        throw CommandFailure(
            .usage, "\(path) is a file, but only its name was passed as the text.",
            "To speak the file, type: synthhost speak -f \(word); to speak its name, type: echo \(word) | synthhost speak"
        )
    }
}
