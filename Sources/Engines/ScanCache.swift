import EngineWire
import Glibc
import LinuxSystem

/// Remembers what plugins said of themselves, one small file for each. Only good answers, crashes and hangs are kept:
/// a file that was refused may be good as soon as a right or a library is there.
struct ScanCache: Sendable {
    let folder: String
    /// Whoever asked decides about the answer as much as the file does.
    private let asker: [UInt8]

    init(folder: String, program: WorkerProgram) {
        self.folder = folder
        var frame = FrameWriter()
        frame.write(Self.format)
        frame.write(hostVersion)
        frame.write(raw: FileIdentity(path: program.path)?.bytes ?? [])
        // A library that an engine needs may have come or gone.
        frame.write(raw: FileIdentity(path: "/etc/ld.so.cache")?.bytes ?? [])
        asker = frame.bytes
    }

    private static let format: UInt32 = 1
    private static let longest = 32 << 20

    /// What the file is now and who asks; nil where there is no such file.
    func fingerprint(of path: String) -> [UInt8]? {
        guard let identity = FileIdentity(path: path) else { return nil }
        var frame = FrameWriter()
        frame.write(path)
        frame.write(raw: identity.bytes)
        frame.write(raw: asker)
        return frame.bytes
    }

    func verdict(of path: String) -> PluginFile.Verdict? {
        guard let fingerprint = fingerprint(of: path),
            let bytes = try? readWholeFile(entry(of: path), limit: Self.longest), bytes.starts(with: fingerprint)
        else { return nil }
        var frame = FrameReader(bytes[fingerprint.count...])
        return try? PluginFile.Verdict(from: &frame)
    }

    /// Does nothing where the verdict is not kept, or the cache cannot be written.
    func remember(_ verdict: PluginFile.Verdict, of path: String, _ fingerprint: [UInt8]) {
        var frame = FrameWriter()
        frame.write(raw: fingerprint)
        guard verdict.write(to: &frame) else { return }
        let entry = entry(of: path)
        makeFolder(of: entry)
        try? replaceFile(entry, with: frame.bytes)
    }

    /// FNV-1a, 64 bits: two paths that meet only overwrite each other.
    private func entry(of path: String) -> String {
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(folder)/\(String(hash, radix: 16)).scan"
    }
}

/// Others are sent by somebody: a shutdown, or the kernel where memory runs out.
private func isOfFault(_ signal: Int32) -> Bool {
    [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS].contains(signal)
}

/// What changes when a file is replaced or written to.
private struct FileIdentity {
    let bytes: [UInt8]

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        var frame = FrameWriter()
        frame.write(UInt64(status.st_dev))
        frame.write(UInt64(status.st_ino))
        frame.write(Int64(status.st_size))
        frame.write(Int64(status.st_mtim.tv_sec))
        frame.write(Int64(status.st_mtim.tv_nsec))
        frame.write(UInt32(status.st_mode))
        frame.write(UInt32(status.st_uid))
        bytes = frame.bytes
    }
}

extension PluginFile.Verdict {
    /// False where it is not one to remember.
    fileprivate func write(to frame: inout FrameWriter) -> Bool {
        switch self {
        case .usable(let description):
            frame.write(1 as UInt8)
            description.write(to: &frame)
        case .unusable(.crashed(let signal, _)) where isOfFault(signal):
            frame.write(2 as UInt8)
            frame.write(signal)
        case .unusable(.hung(let limit, _)):
            frame.write(3 as UInt8)
            frame.write(limit.components.seconds)
        default: return false
        }
        return true
    }

    fileprivate init(from frame: inout FrameReader) throws(MalformedFrame) {
        switch try frame.number(UInt8.self) {
        case 1: self = .usable(try EngineDescription(from: &frame))
        case 2: self = .unusable(.crashed(signal: try frame.number(), .describing))
        case 3: self = .unusable(.hung(.seconds(try frame.number(Int64.self)), .describing))
        default: throw MalformedFrame()
        }
        try frame.end()
    }
}
