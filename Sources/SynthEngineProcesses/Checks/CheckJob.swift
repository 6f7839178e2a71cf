import Glibc
package import SynthEngineWire
package import SynthSystem

/// The job of one `synthhost-check` process.
package struct CheckJob: Equatable, Sendable {
    /// The work of the process.
    package enum Task: Equatable, Sendable {
        case check(Check)
        /// A chunk of random requests; the same seed gives the same requests.
        case fuzz(seed: UInt64)
    }

    package var task: Task
    /// Whether the file is checked as an engine or as a recognizer.
    package var kind: PluginKind
    /// The engine or recognizer.
    package var file: String
    /// An empty folder for this process; nil = it creates one.
    package var folder: String?
    /// The id of the voice, or of the recognizer's model; nil = the first usable one.
    package var voice: String?
    /// Files for the roles of the engine.
    package var files: [HandedFile]
    /// What the user allows the engine beyond the permissions of every engine.
    package var allowed: [EngineNeed.Kind]

    /// The process works in another folder, so paths are made absolute.
    package init(
        _ task: Task, as kind: PluginKind = .engine, file: String, folder: String? = nil, voice: String? = nil,
        files: [HandedFile] = [],
        allowing allowed: [EngineNeed.Kind] = []
    ) {
        self.task = task
        self.kind = kind
        self.file = Self.absolute(file)
        self.folder = folder
        self.voice = voice
        self.files = files.map { HandedFile(role: $0.role, path: Self.absolute($0.path)) }
        self.allowed = allowed
    }

    /// The command line of the process: `[recognizer:]CHECK FILE.so [FOLDER [VOICE [ROLE=PATH… +NEED…]]]`. Optional arguments may be empty.
    package var arguments: [String] {
        let word =
            switch task {
            case .check(let check): check.rawValue
            case .fuzz(let seed): Self.fuzzPrefix + String(seed)
            }
        let prefix = kind == .engine ? "" : Self.recognizerPrefix
        return [prefix + word, file, folder ?? "", voice ?? ""] + files.map { "\($0.role)=\($0.path)" }
            + allowed.map { "\(Self.needPrefix)\($0.word)" }
    }

    package init?(arguments: [String]) {
        guard arguments.count >= 2 else { return nil }
        let kind: PluginKind = arguments[0].hasPrefix(Self.recognizerPrefix) ? .recognizer : .engine
        let word = kind == .engine ? arguments[0][...] : arguments[0].dropFirst(Self.recognizerPrefix.count)
        let task: Task
        if let check = Check(rawValue: String(word)), check.kinds.contains(kind) {
            task = .check(check)
        } else if word.hasPrefix(Self.fuzzPrefix), let seed = UInt64(word.dropFirst(Self.fuzzPrefix.count)) {
            task = .fuzz(seed: seed)
        } else {
            return nil
        }
        var files: [HandedFile] = []
        var allowed: [EngineNeed.Kind] = []
        for argument in arguments.dropFirst(4) {
            if argument.hasPrefix(Self.needPrefix) {
                guard let need = EngineNeed.Kind(word: String(argument.dropFirst())) else { return nil }
                allowed.append(need)
                continue
            }
            guard let equals = argument.firstIndex(of: "=") else { return nil }
            files.append(
                HandedFile(role: String(argument[..<equals]), path: String(argument[argument.index(after: equals)...])))
        }
        func optional(_ index: Int) -> String? {
            arguments.count > index && !arguments[index].isEmpty ? arguments[index] : nil
        }
        self.init(
            task, as: kind, file: arguments[1], folder: optional(2), voice: optional(3), files: files, allowing: allowed
        )
    }

    private static let fuzzPrefix = "fuzz:"
    private static let recognizerPrefix = "recognizer:"
    /// A prefix that no role name has.
    private static let needPrefix = "+"

    /// A missing file keeps its name, for the error message.
    private static func absolute(_ path: String) -> String { LinkTarget.real(path) ?? path }
}

/// A new folder for the files of a check, deleted with its contents when the value is freed.
package final class ScratchFolder: Sendable {
    package let path: String

    /// Below `parent`, or below the folder for temporary files.
    package init(in parent: String? = nil) throws(Errno) {
        // Absolute, because the process of a check has another working directory.
        let base = absolutePath(parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        var name = Array("\(base)/synthhost-check-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Errno.last }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = try? FolderRemoval.remove(path) }
}
