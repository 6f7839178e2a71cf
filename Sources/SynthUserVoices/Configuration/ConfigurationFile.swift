import Glibc
import SynthJSON
public import SynthSpeech
package import SynthSystem

/// The configuration file, which is read on every call and never cached.
public struct ConfigurationFile: Equatable, Sendable {
    /// The maximum file size in bytes. Larger files are rejected without being parsed.
    static let largestSize = 1_000_000

    /// The path of the file.
    public let path: String
    /// Whether a missing file is an error, as it is when the user named the file explicitly.
    public let mustExist: Bool

    /// Creates a reference to the file at a path. The file need not exist.
    public init(path: String, mustExist: Bool = false) {
        self.path = path
        self.mustExist = mustExist
    }

    /// The effective file: the file specified by the flag or by `SYNTHHOST_CONFIG` or, failing both,
    /// `synthhost/config.json` in `XDG_CONFIG_HOME` or `~/.config`.
    public static func inForce(
        flag: String? = nil, environment: (String) -> String? = ConfigurationFile.processEnvironment
    ) -> ConfigurationFile {
        if let flag { return ConfigurationFile(path: flag, mustExist: true) }
        if let path = environment("SYNTHHOST_CONFIG"), !path.isEmpty { return ConfigurationFile(path: path) }
        // The XDG specification requires relative paths to be ignored.
        if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return ConfigurationFile(path: folder + "/synthhost/config.json")
        }
        return ConfigurationFile(path: UserFolders.home(environment) + "/.config/synthhost/config.json")
    }

    /// Returns an environment variable of this process, or nil if it is not set or is not valid UTF-8. Invalid UTF-8 is
    /// not repaired, because a repaired path would refer to a different file.
    @Sendable public static func processEnvironment(_ name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }
    }

    /// Reads the configuration. If the file does not exist and is optional, returns the default values.
    public func load() throws(SpeechError) -> Configuration { try read().configuration() }

    /// Returns the effective value of a key as text: a string without quotation marks, or JSON for other types. Returns
    /// nil if the key has no value.
    package func value(of path: String) throws(SpeechError) -> String? {
        let (key, name) = try ConfigurationDocument.key(path)
        switch key.value(in: try load(), name: name) {
        case nil: return nil
        case .string(let text): return text
        case .some(let value): return JSONWriter.text(of: JSONNode(value))
        }
    }

    /// Returns all keys with their effective values, in the order of `ConfigurationKey.all`.
    package func show() throws(SpeechError) -> [ConfigurationEntry] {
        let document = try read()
        let configuration = try document.configuration()
        let preset = Configuration()
        return ConfigurationKey.all.map { key in
            var probe = document
            let isSet = (try? probe.unset(key.path)) ?? false
            return ConfigurationEntry(
                path: key.path,
                value: key.value(in: configuration, name: nil).map { JSONWriter.text(of: JSONNode($0)) },
                preset: key.value(in: preset, name: nil).map { JSONWriter.text(of: JSONNode($0)) },
                isSet: isSet, help: key.help)
        }
    }

    /// Checks that text is a valid value for a key.
    package static func check(_ path: String, _ text: String) throws(SpeechError) {
        var probe = try ConfigurationDocument([], file: "")
        try probe.set(path, to: text)
    }

    /// Sets a key by its dotted path and saves the file.
    package func set(_ path: String, to text: String) throws(SpeechError) {
        _ = try ConfigurationDocument.key(path)
        try change { document throws(SpeechError) in
            try document.set(path, to: text)
            return true
        }
    }

    /// Removes a key and saves the file.
    ///
    /// - Returns: whether the key was set.
    @discardableResult
    package func unset(_ path: String) throws(SpeechError) -> Bool {
        try change { document throws(SpeechError) in try document.unset(path) }
    }

    @discardableResult
    func change(
        _ body: (inout ConfigurationDocument) throws(SpeechError) -> Bool
    ) throws(SpeechError) -> Bool {
        let saving = try AtomicSave(path: path)
        var document = try read(mayBeMissing: true)
        guard try body(&document) else { return false }
        try saving.replace(with: document.text)
        return true
    }

    private func read(mayBeMissing: Bool = false) throws(SpeechError) -> ConfigurationDocument {
        let bytes: [UInt8]
        do {
            bytes = try readWholeFile(path, limit: Self.largestSize)
        } catch {
            if mayBeMissing || !mustExist, error == .notFound || error == .notFolder {
                return try ConfigurationDocument([], file: path)
            }
            let reason =
                switch error {
                case .isFolder, .invalid: "it is not a regular file"
                case .fileTooLarge: "it is larger than 1 MB"
                default: "\(error)"
                }
            throw .configurationUnreadable(file: path, reason: reason)
        }
        return try ConfigurationDocument(bytes, file: path)
    }
}

/// A line of `synthhost config show`, with values as JSON.
package struct ConfigurationEntry: Equatable, Sendable {
    package let path: String
    package let value: String?
    /// The default value.
    package let preset: String?
    /// Whether the file sets the key.
    package let isSet: Bool
    package let help: String
}

/// Replaces a small file atomically, so that readers see either the old or the new text, even after a crash.
///
/// Locks the file's folder until this value is destroyed, so that two programs that read, change and save the file do
/// not overwrite each other's changes. The initializer blocks while another program holds the lock.
struct AtomicSave: ~Copyable {
    private let path: String
    private let target: String
    private let folder: Int32

    /// Creates the file's folder if necessary.
    ///
    /// - Parameter path: the file's path. If it is a symbolic link, the link is preserved and its target is replaced.
    init(path: String) throws(SpeechError) {
        let target = LinkTarget.of(path) ?? path
        let folderPath = LinkTarget.folder(of: target)
        try Self.makeFolder(folderPath, for: path)
        let descriptor = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        self.path = path
        self.target = target
        folder = descriptor
        while flock(descriptor, LOCK_EX) != 0 {
            // Some file systems do not support locks. The replacement is atomic nonetheless.
            guard errno == EINTR else { break }
        }
    }

    deinit {
        close(folder)
    }

    /// Writes, syncs and renames the file. A new file is readable only by its owner. An existing file keeps its mode
    /// and, if permitted, its owner.
    func replace(with text: String) throws(SpeechError) {
        do {
            let new = try ReplacementFile(at: target, mode: 0o600)
            try new.file.writeAll(Array(text.utf8))
            try new.publish(syncs: true)
        } catch {
            throw Self.failure(path, error.code)
        }
        fsync(folder)
    }

    private static func makeFolder(_ folderPath: String, for path: String) throws(SpeechError) {
        if mkdir(folderPath, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, folderPath != LinkTarget.folder(of: folderPath) else { throw failure(path, errno) }
        try makeFolder(LinkTarget.folder(of: folderPath), for: path)
        guard mkdir(folderPath, 0o700) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    private static func failure(_ path: String, _ code: Int32) -> SpeechError {
        .configurationUnwritable(file: path, code: code)
    }
}
