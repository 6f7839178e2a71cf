import Glibc
import SynthCatalogue
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost read`: reads text aloud while the user follows along and controls playback in the terminal.
struct ReadCommand: Command {
    let context: CommandContext

    func run() throws {
        let mailbox = try Reader.Mailbox()
        let cancellation = context.cancellation()
        cancellation.set { mailbox.wake.signal() }
        let source = try ReadingSource(context)
        let configuration = try context.configuration()
        let use = ServiceUse()
        let host = try use.host(context, configuration, isAwaited: true)
        if case .file(let path) = source { context.inUse.add(path: path, as: .text) }
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        let playing = PlayingMark(context, "read")
        defer { withExtendedLifetime(playing) {} }

        let interface = ScreenInterface(
            context, draws: context.canDraw, isQuiet: arguments[Options.quiet], mailbox.wake)
        cancellation.setExitAction(interface.close)
        let inventory = host.snapshot()
        let reader = Reader(
            context, configuration, host, inventory, name: source.title(context.localized), mailbox,
            cancellation, interface)
        // Printed messages would overwrite the screen, so the reader shows them as notes.
        var quiet = context
        quiet.errors = TextOutput(style: .plain) { text throws(TerminalError) in
            mailbox.send(.event(.note(CleanText.line(text))))
        }
        let isOpening = startThread("opening") { [quiet] in
            do {
                try Self.open(source, quiet, configuration, inventory, mailbox)
            } catch {
                mailbox.send(.failed(CommandFailure(error)))
            }
        }
        if !isOpening { mailbox.send(.failed(CommandFailure(SpeechError.noThread))) }
        defer { host.abandonEngines() }
        do {
            try reader.run()
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(failure.code, failure.message, SpeechError.Remedy.whileReading(failure.remedy))
        }
    }

    /// Reads the document and finds a voice for it.
    private static func open(
        _ source: ReadingSource, _ context: CommandContext,
        _ configuration: Configuration,
        _ inventory: HostSnapshot, _ mailbox: Reader.Mailbox
    ) throws {
        let name = source.title(context.localized)
        let beginning = TextBeginning(source, context.arguments)
        func text(_ read: ReadDocument, isWhole: Bool = true) -> ReadText {
            ReadText(
                title: read.document.title, name: name, read.chosen, read.languages, context.localized,
                digest: beginning?.digest, isWhole: isWhole)
        }
        func open(_ read: ReadDocument, _ text: ReadText) throws {
            guard text.firstSentence(from: 0) != nil else { throw SpeechError.nothingToSay }
            // Open the document before checking the audio device, so that an unreadable document is reported first.
            try context.devices.probe(configuration.device ?? "default")
            mailbox.send(.opened(text, remembers: source.isResumable))
            var asked = RequestedVoice(context: context, inventory: inventory, configuration: configuration)
            let ready = source.isResumable ? asked.session(rememberedFor: text) : nil
            if ready == nil { try asked.take(languagesOf: read) }
            let settings = try SpokenSettings(context.arguments, configuration, inventory, fallsBack: false) { _ in }
            mailbox.send(.voices(asked, settings))
            mailbox.send(try ready ?? asked.message(for: try asked.choose()))
        }
        var isOpen = false
        if let beginning, let read = beginning.read(context) {
            let start = text(read, isWhole: false)
            // If the saved position is beyond this beginning, the entire text is needed.
            let saved = ReadingMemory(digest: start.digest, in: inventory.host.folders.state).place
            if saved.block < start.blocks.count - 1, start.firstSentence(from: 0) != nil {
                try open(read, start)
                isOpen = true
            }
        }
        let read = try source.read(context)
        let whole = text(read)
        if isOpen { mailbox.send(.completed(whole)) } else { try open(read, whole) }
    }
}

/// The beginning of a long text file, which plays while the rest of the file is being read.
private struct TextBeginning {
    private let path: String
    private let bytes: ArraySlice<UInt8>
    /// The digest of the entire file.
    let digest: String

    /// The minimum size, in bytes, at which a file counts as long.
    private static let shortest = 256 << 10
    /// The maximum size of the beginning in bytes.
    private static let size = 64 << 10

    /// Returns nil for text without paragraphs, and for any document that is not a long text file.
    init?(_ source: ReadingSource, _ arguments: ParsedArguments) {
        let selects =
            arguments[Options.chapters] != nil || !arguments[all: Options.skip].isEmpty
            || arguments[Options.skipFrontMatter] || arguments[Options.notes]
        guard case .file(let path) = source, !selects, [nil, .markdown].contains(DocumentForm(path: path)),
            let bytes = try? readWholeFile(path, limit: ReadingSource.maximumBytes), bytes.count >= Self.shortest
        else { return nil }
        let start = bytes.prefix(Self.size)
        let foreign = ["PK", "%PDF-", "<"].contains { start.starts(with: Array($0.utf8)) }
        guard !foreign, !start.contains(0), let end = Self.lastParagraph(in: start) else { return nil }
        var digest = TextDigest()
        digest.add(file: bytes)
        // Include the format in the digest, because the same bytes would be split into different paragraphs in another
        // format.
        let form = DocumentForm(path: path).map { "-\($0.rawValue)" } ?? ""
        (self.path, self.bytes, self.digest) = (path, start[..<end], digest.words + form)
    }

    /// The start of the last paragraph, or nil if no paragraph starts in the second half.
    private static func lastParagraph(in bytes: ArraySlice<UInt8>) -> Int? {
        let newline = UInt8(ascii: "\n")
        var last: Int?
        for (index, byte) in zip(bytes.indices, bytes).reversed() where byte == newline {
            if let last, bytes[index + 1..<last].allSatisfy({ $0 == UInt8(ascii: "\r") }) { return last + 1 }
            if index < size / 2 { return nil }
            last = index
        }
        return nil
    }

    func read(_ context: CommandContext) -> ReadDocument? {
        guard let file = try? Descriptor.memory(with: Array(bytes)) else { return nil }
        return try? ReadDocument(context, path: path, DocumentForm(path: path), from: file)
    }
}

extension RequestedVoice {
    /// Returns a session for the voice that the user chose when this text was last read. Returns nil if no voice was
    /// chosen, if the voice is not available, or if the options select a voice.
    fileprivate func session(rememberedFor text: ReadText) -> Reader.Message? {
        guard Self.query(arguments) == VoiceQuery(),
            let name = ReadingMemory(digest: text.digest, in: inventory.host.folders.state).voice
        else { return nil }
        var remembered = self
        remembered.other = VoiceQuery(name: name)
        guard let choice = try? remembered.choose(), inventory.missing(of: choice).isEmpty else { return nil }
        return try? message(for: choice)
    }

    /// Returns a session for the voice, or a message that the voice is not installed.
    func message(for choice: VoiceChoice) throws -> Reader.Message {
        if !inventory.missing(of: choice).isEmpty { return .missing(choice) }
        return .session(try session(choice, needsPhonemes: false, onLog: nil))
    }
}

/// The source of the text for `read`: a file, standard input, or the desktop's selection or clipboard.
enum ReadingSource: Equatable {
    case file(String)
    case input
    case selection
    case clipboard

    init(_ context: CommandContext) throws {
        let file = context.arguments.positionals.first
        if context.arguments[Options.selection] {
            self = .selection
        } else if context.arguments[Options.clipboard] {
            self = .clipboard
        } else if let file, file != "-" {
            self = .file(file)
        } else if isatty(context.input) == 1 {
            // The terminal is needed for keys, so the text cannot be read from it.
            throw CommandFailure(
                .usage, "There is nothing to read.",
                "To read a file, type: synthhost read FILE. To read the text selected on the desktop, type: "
                    + "synthhost read --selection")
        } else {
            self = .input
        }
    }

    /// The name in error messages.
    var name: String { title(.english) }

    /// The name to show if the text has no title.
    func title(_ localized: PhraseBook) -> String {
        switch self {
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .input: localized("Standard input")
        case .selection: localized("The selection")
        case .clipboard: localized("The clipboard")
        }
    }

    /// Whether to save the position. A selection or clipboard is always read from its beginning.
    var isResumable: Bool { self != .selection && self != .clipboard }

    /// Reads the entire text. Blocks.
    func read(_ context: CommandContext) throws -> ReadDocument {
        let bytes: [UInt8]
        switch self {
        case .file(let path): return try ReadDocument(context, path: path, DocumentForm(path: path))
        case .input:
            bytes = try rethrowing(context.standardInput().readAll(limit: Self.maximumBytes)) {
                SpeechError.notReadable(name, $0)
            }
        case .selection, .clipboard:
            bytes = try DesktopText(context: context, isSelection: self == .selection).read()
        }
        let file = try rethrowing(Descriptor.memory(with: bytes)) { SpeechError.notReadable(name, $0) }
        return try ReadDocument(context, path: name, nil, from: file)
    }

    /// The maximum size of standard input, the selection and the clipboard, in bytes.
    static let maximumBytes = 64 << 20
}

/// Reads the desktop's selection or clipboard by running `wl-paste` or `xclip`.
private struct DesktopText {
    let context: CommandContext
    let isSelection: Bool
    private var what: String { isSelection ? "selection" : "clipboard" }

    /// The time limit for each chunk of text. Without a limit, the program could wait indefinitely for the window that owns
    /// the text.
    private static let timeout = Duration.seconds(3)

    func read() throws -> [UInt8] {
        let (hasWayland, hasX) = (has("WAYLAND_DISPLAY"), has("DISPLAY"))
        guard hasWayland || hasX else {
            throw CommandFailure(
                .unavailable,
                "Cannot read the \(what): neither WAYLAND_DISPLAY nor DISPLAY is set.",
                "Type the command in a terminal in your desktop session, or read a file: synthhost read FILE")
        }
        let (name, package) = hasWayland ? ("wl-paste", "wl-clipboard") : ("xclip", "xclip")
        guard let program = context.program(name) else {
            throw CommandFailure(
                .unavailable, "Reading the \(what) requires \(name), which is not installed.",
                "To install it, type: sudo apt install \(package)")
        }
        let viaX = ["-out", "-selection", isSelection ? "primary" : "clipboard"]
        let viaWayland = ["--no-newline", "--type", "text"] + (isSelection ? ["--primary"] : [])
        var bytes = try output(of: program, hasWayland ? viaWayland : viaX)
        // On Wayland, GNOME passes the selection only to a focused window, which `wl-paste` cannot open while the overview is shown. On X,
        // all programs can get the selection.
        if bytes == nil, hasWayland, hasX, let program = context.program("xclip") {
            bytes = try output(of: program, viaX)
        }
        guard let bytes else {
            let also = hasWayland && hasX && context.program("xclip") == nil
            throw CommandFailure(
                .tryAgain, "The desktop did not provide the \(what) within 3 seconds.",
                "Click in a window, then try again."
                    + (also ? " Or install xclip, which needs no window: sudo apt install xclip" : ""))
        }
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw CommandFailure(
                .inputMissing, isSelection ? "Nothing is selected." : "The clipboard is empty.",
                isSelection ? "Select some text in a window first." : "Copy some text first.")
        }
        return bytes
    }

    private func has(_ variable: String) -> Bool { !(context.environment[variable] ?? "").isEmpty }

    /// Returns the output of the program. Returns an empty array if the program fails, or nil if the time limit expires.
    private func output(of program: String, _ words: [String]) throws -> [UInt8]? {
        do {
            let (process, pipe) = try start(program, words)
            var running = try RunningProgram(process)
            guard let bytes = try Self.read(pipe) else {
                _ = running.end()
                return nil
            }
            return running.end(after: Self.timeout).isGood ? bytes : []
        } catch {
            throw CommandFailure(
                .failure, "Cannot read the \(what) with \(program): \(error).",
                "To test the program, type: \(program) \(words.joined(separator: " "))")
        }
    }

    /// Starts the program. Returns the process ID and the read end of the pipe for its output. This process closes its
    /// write end, so that the output ends when the program exits.
    private func start(_ program: String, _ words: [String]) throws(Errno) -> (Int32, Descriptor) {
        let pipe = try Descriptor.pipe()
        var spawn = Spawn(group: .own)
        try spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
        try spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        try spawn.pass(pipe.writing.raw, as: STDOUT_FILENO)
        let process = try spawn.start(
            program, arguments: words.map { Array($0.utf8) }, environment: context.childEnvironment)
        return (process, pipe.reading)
    }

    /// Returns nil if the program keeps running but sends no more text within the time limit.
    private static func read(_ pipe: Descriptor) throws(Errno) -> [UInt8]? {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= ReadingSource.maximumBytes {
            guard try Poll.wait([(pipe.raw, events: POLLIN)], timeout: timeout)[0] != 0 else { return nil }
            let count = try pipe.read(into: chunk)
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return Array(bytes.prefix(ReadingSource.maximumBytes))
    }
}
