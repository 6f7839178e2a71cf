import SynthEngineWire
import SynthSystem

/// The result of querying a file as an engine or a recognizer.
enum ScanAnswer<Description: PluginDescription>: Equatable, Sendable {
    case description(Description)
    /// The file is a plugin of the other kind only.
    case otherKind
}

/// An in-memory copy of the cache records, for a process that scans often. Unchanged records are not read again.
package final class ScanMemory: Sendable {
    fileprivate struct CachedScan {
        /// The identity of the record's file.
        let record: FileIdentity
        /// The fingerprint of the plugin, the host and the worker.
        let fingerprint: [UInt8]
        /// A `ScanAnswer` of the record's kind.
        let answer: any Sendable
    }

    fileprivate let known = Monitor<[String: CachedScan]>([:])

    package init() {}
}

/// A cache of plugin descriptions, with a small file for each plugin and kind. Failures are not cached, because their cause may be
/// temporary: a missing library, a lack of memory, or a slow disk.
struct ScanCache: Sendable {
    let folder: String
    /// Identifies the host and the worker that made the query. Other versions of these programs may get a different
    /// result.
    private let asker: [UInt8]
    private let memory: ScanMemory

    init(folder: String, program: WorkerProgram, memory: ScanMemory) {
        self.folder = folder
        self.memory = memory
        var frame = FrameWriter()
        frame.write(Self.format, hostVersion)
        frame.write(FileIdentity(path: program.path))
        // This file changes when libraries are installed or removed.
        frame.write(FileIdentity(path: "/etc/ld.so.cache"))
        asker = frame.bytes
    }

    private static let format: UInt32 = 7
    private static let longest = 32 << 20

    /// Returns a fingerprint of the file's current contents, the host and the worker, or nil if the file does not
    /// exist.
    func fingerprint(of path: String) -> [UInt8]? {
        guard let identity = FileIdentity(path: path) else { return nil }
        var frame = FrameWriter()
        frame.write(path)
        frame.write(identity)
        frame.write(raw: asker)
        return frame.bytes
    }

    /// Returns the cached result for a file and a kind of plugin, or nil if there is none.
    func answer<Description: PluginDescription>(of path: String) -> ScanAnswer<Description>? {
        let entry = entry(of: path, Description.kind)
        // Determine the fingerprint and the record's identity before reading the record, so that a record that is
        // replaced in the meantime is read again.
        guard let fingerprint = fingerprint(of: path), let record = FileIdentity(path: entry) else { return nil }
        if let known = memory.known.read({ $0[entry] }), known.record == record, known.fingerprint == fingerprint {
            return known.answer as? ScanAnswer<Description>
        }
        guard let answer: ScanAnswer<Description> = Self.answer(in: entry, for: fingerprint) else { return nil }
        memory.known.update {
            $0[entry] = ScanMemory.CachedScan(record: record, fingerprint: fingerprint, answer: answer)
        }
        return answer
    }

    private static func answer<Description: PluginDescription>(
        in entry: String, for fingerprint: [UInt8]
    ) -> ScanAnswer<Description>? {
        guard let bytes = try? readWholeFile(entry, limit: longest), bytes.starts(with: fingerprint) else { return nil }
        var frame = FrameReader(bytes[fingerprint.count...])
        guard let isOne = try? frame.read(Bool.self) else { return nil }
        if !isOne { return frame.isAtEnd ? .otherKind : nil }
        guard let description = try? Description(from: &frame), frame.isAtEnd else { return nil }
        return .description(description)
    }

    /// Stores a result. Does nothing if the cache is not writable.
    func store<Description: PluginDescription>(
        _ answer: ScanAnswer<Description>, of path: String, _ fingerprint: [UInt8]
    ) {
        var frame = FrameWriter()
        frame.write(raw: fingerprint)
        switch answer {
        case .otherKind: frame.write(false)
        case .description(let description): frame.write(true, description)
        }
        let entry = entry(of: path, Description.kind)
        makeFolder(of: entry)
        try? replaceFile(entry, with: frame.bytes)
    }

    var recordsOfMissingFiles: [String] {
        FolderListing.names(in: folder).map { "\(folder)/\($0)" }.filter { entry in
            guard let bytes = try? readWholeFile(entry, limit: Self.longest) else { return false }
            var frame = FrameReader(bytes[...])
            // A record begins with the fingerprint, which begins with the path.
            guard let path = try? frame.read(String.self) else { return false }
            return FileIdentity(path: path) == nil
        }
    }

    /// Returns the path of a file's record. Two paths with the same hash overwrite each other's record, which is
    /// harmless.
    private func entry(of path: String, _ kind: PluginKind) -> String {
        let ending = kind == .recognizer ? "heard" : "scan"
        return "\(folder)/\(ContentHash(path.utf8).hexadecimal).\(ending)"
    }
}

extension FrameWriter {
    fileprivate mutating func write(_ identity: FileIdentity?) {
        for number in identity?.numbers ?? [] { write(number) }
    }
}
