import EngineWire
import System

/// The cache of plugin descriptions, one small file for each plugin. Failures are not cached, because their cause may
/// be temporary: a missing library, too little memory, a slow disk.
struct ScanCache: Sendable {
    let folder: String
    /// Identifies the host and worker that asked; another version may get another answer.
    private let asker: [UInt8]

    init(folder: String, program: WorkerProgram) {
        self.folder = folder
        var frame = FrameWriter()
        frame.write(Self.format)
        frame.write(hostVersion)
        frame.write(FileIdentity(path: program.path))
        // Changes when libraries are installed or removed.
        frame.write(FileIdentity(path: "/etc/ld.so.cache"))
        asker = frame.bytes
    }

    private static let format: UInt32 = 6
    private static let longest = 32 << 20

    /// Identifies the current content of the file and the asker; nil if there is no such file.
    func fingerprint(of path: String) -> [UInt8]? {
        guard let identity = FileIdentity(path: path) else { return nil }
        var frame = FrameWriter()
        frame.write(path)
        frame.write(identity)
        frame.write(raw: asker)
        return frame.bytes
    }

    func description(of path: String) -> EngineDescription? {
        guard let fingerprint = fingerprint(of: path),
            let bytes = try? readWholeFile(entry(of: path), limit: Self.longest), bytes.starts(with: fingerprint)
        else { return nil }
        var frame = FrameReader(bytes[fingerprint.count...])
        guard let description = try? EngineDescription(from: &frame), frame.isAtEnd else { return nil }
        return description
    }

    /// Does nothing if the cache cannot be written.
    func store(_ description: EngineDescription, of path: String, _ fingerprint: [UInt8]) {
        var frame = FrameWriter()
        frame.write(raw: fingerprint)
        description.write(to: &frame)
        let entry = entry(of: path)
        makeFolder(of: entry)
        try? replaceFile(entry, with: frame.bytes)
    }

    /// Two paths with the same hash only overwrite each other's entry.
    private func entry(of path: String) -> String { "\(folder)/\(ContentHash(path.utf8).hexadecimal).scan" }
}

extension FrameWriter {
    fileprivate mutating func write(_ identity: FileIdentity?) {
        for number in identity?.numbers ?? [] { write(number) }
    }
}
