import CSynthEngine

/// A kind of file that the voices of an engine, or the models of a recognizer, use.
public struct FileRole: Sendable {
    public enum Scope: Sendable {
        /// Handed to `load`; voices that share a model share the file.
        case model
        /// Handed over with each request that uses the voice. A recognizer has none of this scope.
        case voice
    }

    /// `[a-z0-9-]+`
    public var name: String
    public var scope: Scope
    public var isOptional: Bool
    /// The file is an unpacked archive, and its path names the folder.
    public var isFolder: Bool

    public init(_ name: String, scope: Scope, isOptional: Bool = false, isFolder: Bool = false) {
        self.name = name
        self.scope = scope
        self.isOptional = isOptional
        self.isFolder = isFolder
    }
}

/// The address of a file of a declared voice or model.
public struct FileSource: Sendable {
    public var role: String
    /// https, of a fixed revision.
    public var url: String
    /// 64 hexadecimal digits.
    public var sha256: String
    /// In bytes.
    public var size: UInt64

    public init(role: String, url: String, sha256: String, size: UInt64) {
        self.role = role
        self.url = url
        self.sha256 = sha256
        self.size = size
    }
}

/// What a model is loaded from.
public struct ModelFiles: Sendable {
    /// The `model` of the voice; the voice's id if it names none. For a recognizer, the id of the model.
    public let model: String
    /// CPU threads for one request; 0 = as the engine thinks best.
    public let threads: Int
    /// An existing folder for this engine only, until exit; `nil` = write nothing.
    public let cacheDirectory: String?
    /// The files of scope `.model`.
    public let files: FileSet

    init(_ load: synth_load) {
        model = load.model.map { String(cString: $0) } ?? ""
        threads = Int(load.threads)
        cacheDirectory = load.cache_directory.map { String(cString: $0) }
        files = FileSet(load.files, count: load.file_count)
    }
}

/// Files by role, complete and verified. A path stays valid during the call that it was handed to. The file does not
/// change while the process lives.
public struct FileSet: Sendable {
    private var paths: [String: String] = [:]

    init(_ files: UnsafePointer<UnsafePointer<synth_file>?>?, count: Int) {
        for file in UnsafeBufferPointer(start: files, count: files == nil ? 0 : count) {
            guard let file else { continue }
            let known = synth_file_known(file)
            if let role = known.role, let path = known.path { paths[String(cString: role)] = String(cString: path) }
        }
    }

    /// The absolute path of a role; `nil` if the host did not hand over the file.
    public subscript(role: String) -> String? { paths[role] }

    /// The absolute path of a role. Throws `.missingFile`, which names the role to the host.
    public func path(_ role: String) throws(EngineError) -> String {
        guard let path = paths[role] else {
            throw EngineError(.missingFile, "The file \"\(role)\" was not provided.", role: role)
        }
        return path
    }
}
