import CSynthEngine

/// The role of a file that an engine's voices or a recognizer's models use.
public struct FileRole: Sendable {
    /// The call to which a file is passed.
    public enum Scope: Sendable {
        /// Passed to `load`; voices that share a model share the file.
        case model
        /// Passed with each request that uses the voice. Recognizers have no files of this scope.
        case voice
    }

    /// The name: `[a-z0-9-]+`.
    public var name: String
    /// The call to which the file is passed.
    public var scope: Scope
    /// Whether a voice or model can do without the file.
    public var isOptional: Bool
    /// Whether the file is an unpacked archive; its path is then the folder's path.
    public var isFolder: Bool

    /// Creates a role. By default it requires a single file.
    public init(_ name: String, scope: Scope, isOptional: Bool = false, isFolder: Bool = false) {
        self.name = name
        self.scope = scope
        self.isOptional = isOptional
        self.isFolder = isFolder
    }
}

/// A file of a declared voice or model, with its download URL.
public struct FileSource: Sendable {
    /// The file's role.
    public var role: String
    /// An HTTPS URL for a fixed revision.
    public var url: String
    /// The SHA-256 checksum: 64 hexadecimal digits.
    public var sha256: String
    /// The size in bytes.
    public var size: UInt64

    /// Creates a source.
    public init(role: String, url: String, sha256: String, size: UInt64) {
        self.role = role
        self.url = url
        self.sha256 = sha256
        self.size = size
    }
}

/// The parameters for loading a model.
public struct ModelFiles: Sendable {
    /// The voice's `model`, or the voice's ID if it has none. For a recognizer, the model's ID.
    public let model: String
    /// The number of CPU threads per request; 0 to let the engine decide.
    public let threads: Int
    /// An existing folder for this engine only, valid until exit; nil if the engine may not write files.
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

/// Complete, verified files, keyed by role. A path is valid during the call to which it was passed. The file does not
/// change while the process is running.
public struct FileSet: Sendable {
    private var paths: [String: String] = [:]

    init(_ files: UnsafePointer<UnsafePointer<synth_file>?>?, count: Int) {
        for file in UnsafeBufferPointer(start: files, count: files == nil ? 0 : count) {
            guard let file else { continue }
            let known = synth_file_known(file)
            if let role = known.role, let path = known.path { paths[String(cString: role)] = String(cString: path) }
        }
    }

    /// The absolute path for a role; nil if the host did not pass the file.
    public subscript(role: String) -> String? { paths[role] }

    /// Returns the absolute path for a role. Throws `.missingFile` with the role if the host did not pass the file.
    public func path(_ role: String) throws(EngineError) -> String {
        guard let path = paths[role] else {
            throw EngineError(.missingFile, "The file \"\(role)\" was not provided.", role: role)
        }
        return path
    }
}
