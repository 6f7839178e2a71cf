import Glibc
import SynthJSON
public import SynthSpeech
package import SynthSystem

/// The configuration on disk. Nothing is kept open or remembered between calls.
public struct ConfigurationFile: Equatable, Sendable {
    /// Larger files are refused without reading them.
    static let largestSize = 1_000_000

    /// The path of the file.
    public let path: String
    /// Whether reading fails if the file does not exist, as for a file that the user named for this run.
    public let mustExist: Bool

    /// The file at a path, whether it exists or not.
    public init(path: String, mustExist: Bool = false) {
        self.path = path
        self.mustExist = mustExist
    }

    /// The file in force: the one of a flag, else `SYNTHHOST_CONFIG`, else `synthhost/config.json` below
    /// `XDG_CONFIG_HOME` or `~/.config`.
    public static func inForce(
        flag: String? = nil, environment: (String) -> String? = ConfigurationFile.processEnvironment
    ) -> ConfigurationFile {
        if let flag { return ConfigurationFile(path: flag, mustExist: true) }
        if let path = environment("SYNTHHOST_CONFIG"), !path.isEmpty { return ConfigurationFile(path: path) }
        // The XDG specification says that relative paths are ignored.
        if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return ConfigurationFile(path: folder + "/synthhost/config.json")
        }
        return ConfigurationFile(path: home(environment) + "/.config/synthhost/config.json")
    }

    /// A variable of this process; nil also if it is not UTF-8, because a repaired path names another file.
    @Sendable public static func processEnvironment(_ name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }
    }

    /// The configuration; the defaults if the file does not exist and may be missing.
    public func load() throws(SpeechError) -> Configuration {
        try rethrowing(current(), as: SpeechError.asSpeechError)
    }

    /// The same with the error of this module.
    package func current() throws(SpeechError) -> Configuration { try read().configuration() }

    /// The value in force of a key, as text: a string without quotes, anything else as JSON; nil if there is none.
    package func value(of path: String) throws(SpeechError) -> String? {
        let (key, name) = try ConfigurationDocument.key(path)
        switch key.value(in: try current(), name: name) {
        case nil: return nil
        case .string(let text): return text
        case .some(let value): return JSONWriter.text(of: JSONNode(value))
        }
    }

    /// All keys with their values in force, in the order of `ConfigurationKey.all`.
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

    /// Checks that a text is a valid value for a key.
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
    /// - Returns: whether it was set.
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
        // Does not wait for the writer of a FIFO, so that one cannot block the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            let code = errno
            if code == ENOENT || code == ENOTDIR {
                guard mustExist, !mayBeMissing else { return try ConfigurationDocument([], file: path) }
            }
            throw unreadable(String(cString: strerror(code)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable("it is not a regular file")
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw unreadable(String(cString: strerror(errno))) }
            if count == 0 { return try ConfigurationDocument(bytes, file: path) }
            bytes.append(contentsOf: block[..<count])
            guard bytes.count <= Self.largestSize else { throw unreadable("it is larger than 1 MB") }
        }
    }

    private func unreadable(_ reason: String) -> SpeechError {
        .configurationUnreadable(file: path, reason: reason)
    }

    private static func home(_ environment: (String) -> String?) -> String {
        if let home = environment("HOME"), home.hasPrefix("/") { return home }
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return "/" }
        return String(validatingCString: folder) ?? "/"
    }
}

/// One line of `synthhost config show`. Values are JSON.
package struct ConfigurationEntry: Equatable, Sendable {
    package let path: String
    package let value: String?
    /// The value without a file.
    package let preset: String?
    /// Whether the file sets it.
    package let isSet: Bool
    package let help: String
}

/// Replaces a small file so that readers, also after a crash, see either the old or the new text, never a part.
///
/// It locks the folder from its initializer to its end, so that two programs that read, change and save do not lose
/// each other's changes. The initializer blocks while another program has the lock.
struct AtomicSave: ~Copyable {
    private let path: String
    private let target: String
    private let folder: Int32

    /// Makes the folder of the file if it is missing.
    ///
    /// - Parameter path: if it is a symbolic link, its target is replaced and the link stays.
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
            // A file system may have no locks. The replacement is still atomic.
            guard errno == EINTR else { break }
        }
    }

    deinit {
        close(folder)
    }

    /// Writes, syncs and renames. Only the owner can read a new file. An existing one keeps its mode and, if permitted,
    /// its owner.
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
