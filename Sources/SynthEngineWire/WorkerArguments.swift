package import SynthSystem

/// A worker's command line: the plugin to host and its confinement.
package struct WorkerArguments: Equatable, Sendable {
    /// The engine's absolute path.
    package var file: String
    /// The type of plugin to load.
    package var kind: PluginKind
    /// The files that the engine may read and write, in addition to those that every worker may use.
    package var files: FileRules
    package var confinement: EngineConfinement
    /// Additional permissions granted by the user.
    package var allowed: [EngineNeed.Kind]
    /// The newest Landlock version to use; nil for the kernel's version.
    package var landlock: Int?

    package init(
        file: String, as kind: PluginKind = .engine, files: FileRules = FileRules(),
        confinement: EngineConfinement = .usual,
        allowed: [EngineNeed.Kind] = [], landlock: Int? = nil
    ) {
        self.file = file
        self.kind = kind
        self.files = files
        self.confinement = confinement
        self.allowed = allowed
        self.landlock = landlock
    }

    /// The command-line arguments, such as `read=/a write=/b allow=network FILE.so`.
    package var words: [String] {
        (kind == .engine ? [] : ["\(Name.kind)=\(kind)"]) + files.readable.map { "\(Name.read)=\($0)" }
            + files.writable.map { "\(Name.write)=\($0)" }
            + allowed.map { "\(Name.allow)=\($0.word)" }
            + (confinement == .usual ? [] : ["\(Name.confinement)=\(confinement)"])
            + (landlock.map { ["\(Name.landlock)=\($0)"] } ?? []) + [file]
    }

    /// Returns nil if the words are not valid arguments for a worker.
    package init?(words: [String]) {
        guard let file = words.last else { return nil }
        self.init(file: file)
        for word in words.dropLast() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let name = Name(rawValue: parts[0]) else { return nil }
            switch name {
            case .kind:
                guard let choice = PluginKind(rawValue: parts[1]) else { return nil }
                kind = choice
            case .read: files.readable.append(parts[1])
            case .write: files.writable.append(parts[1])
            case .confinement:
                guard let choice = EngineConfinement(rawValue: parts[1]) else { return nil }
                confinement = choice
            case .allow:
                guard let need = EngineNeed.Kind(word: parts[1]), need.variable == nil else { return nil }
                allowed.append(need)
            case .landlock:
                guard let version = Int(parts[1]), version >= 0 else { return nil }
                landlock = version
            }
        }
    }

    private enum Name: String {
        case kind
        case read
        case write
        case allow
        case confinement
        case landlock
    }
}

/// The types of plugins. A file may contain both types, in which case a worker hosts it as one of them.
package enum PluginKind: String, CaseIterable, Sendable {
    case engine
    case recognizer

    /// The function that a plugin of this kind exports.
    package var entry: String {
        switch self {
        case .engine: "synth_engine_entry"
        case .recognizer: "synth_recognizer_entry"
        }
    }
}

/// The level of confinement for engines (see `Confinement`).
public enum EngineConfinement: String, CaseIterable, Sendable {
    /// The strictest confinement that the kernel supports.
    case usual
    /// Full confinement: the worker starts only if all parts are available.
    case required
    /// No confinement.
    case off
}

/// The command line of a worker that starts other programs instead of hosting an engine: `start CONFINEMENT WORKER
/// FETCHER READER`.
package struct WorkerStart: Equatable, Sendable {
    private static let word = "start"
    private let worker: String
    private let fetcher: String
    private let reader: String
    private let confinement: EngineConfinement

    package init(worker: String, fetcher: String, reader: String, confinement: EngineConfinement) {
        self.worker = absolutePath(worker)
        self.fetcher = absolutePath(fetcher)
        self.reader = absolutePath(reader)
        self.confinement = confinement
    }

    package var words: [String] { [Self.word, confinement.rawValue, worker, fetcher, reader] }

    /// Returns nil if the words are not valid arguments for a starter.
    package init?(words: [String]) {
        guard words.count == 5, words[0] == Self.word, let confinement = EngineConfinement(rawValue: words[1]),
            words[2...].allSatisfy({ $0.hasPrefix("/") })
        else { return nil }
        self.init(worker: words[2], fetcher: words[3], reader: words[4], confinement: confinement)
    }

    /// Returns the start request, adjusted if necessary, or nil if it is not allowed. A request may start only the
    /// programs on this command line and must not weaken the confinement that the command line specifies.
    package func admitted(_ start: ProgramStart) -> ProgramStart? {
        // Compare bytes, because canonically equivalent strings are equal in Swift but refer to different files.
        if [fetcher, reader].contains(where: { start.program.utf8.elementsEqual($0.utf8) }) { return start }
        let texts = start.arguments.compactMap { String(validating: $0, as: UTF8.self) }
        guard start.program.utf8.elementsEqual(worker.utf8), texts.count == start.arguments.count,
            var arguments = WorkerArguments(words: texts), arguments.file.hasPrefix("/")
        else { return nil }
        arguments.confinement = confinement
        arguments.landlock = nil
        var start = start
        start.arguments = arguments.words.map { Array($0.utf8) }
        return start
    }
}
