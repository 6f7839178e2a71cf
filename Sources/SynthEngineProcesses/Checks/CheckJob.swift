import Glibc
package import SynthEngineWire
package import SynthSystem

/// The job of a `synthhost-check` process.
package struct CheckJob: Equatable, Sendable {
    /// The process's task.
    package enum Task: Equatable, Sendable {
        case check(Check)
        /// A batch of random requests. The same seed produces the same requests.
        case fuzz(seed: UInt64)
    }

    package var task: Task
    /// Whether to check the file as an engine or as a recognizer.
    package var kind: PluginKind
    /// The path of the engine or recognizer.
    package var file: String
    /// An empty folder for this process, or nil to let the process create a folder.
    package var folder: String?
    /// The ID of the voice to speak with or the model to transcribe with, or nil for the first usable voice or model.
    package var voice: String?
    /// The files for the engine's roles.
    package var files: [HandedFile]
    /// The permissions that the user grants the engine, in addition to those that every engine has.
    package var allowed: [EngineNeed.Kind]

    /// Creates a job. Paths are made absolute, because the process has a different working directory.
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

    /// The process's command line: `[recognizer:]CHECK FILE.so [FOLDER [VOICE [ROLE=PATH… +NEED…]]]`. Optional
    /// arguments may be empty.
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
    /// The prefix that marks an argument as a permission. No role name starts with it.
    private static let needPrefix = "+"

    /// Returns the absolute path, or the path unchanged if the file is missing, so that the error message can show it.
    private static func absolute(_ path: String) -> String { LinkTarget.real(path) ?? path }
}

/// A new folder for a check's files. It is deleted with its contents when this object is released.
package final class ScratchFolder: Sendable {
    package let path: String

    /// Creates the folder in `parent` or, if it is nil, in the folder for temporary files.
    package init(in parent: String? = nil) throws(Errno) {
        // Make the path absolute, because a checking process has a different working directory.
        let base = absolutePath(parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        var name = Array("\(base)/synthhost-check-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Errno.last }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { _ = try? FolderRemoval.remove(path) }
}
