import CSynthEngine
import Glibc
import Synchronization

/// The host that a test is to an engine, and what the engines wrote to its log.
package enum HostLog {
    private static let lines = Mutex<[String]>([])

    /// The lines that hold a text, each after its severity.
    package static func lines(containing text: String) -> [String] {
        lines.withLock { lines in lines.filter { line in line.split(separator: " ").contains { $0 == text } } }
    }

    /// Written once, lives until exit.
    nonisolated(unsafe) static let host: UnsafePointer<synth_host> = {
        let host = UnsafeMutablePointer<synth_host>.allocate(capacity: 1)
        host.initialize(to: synth_host())
        host.pointee.struct_size = UInt32(MemoryLayout<synth_host>.size)
        host.pointee.abi = UInt32(SYNTH_ABI)
        host.pointee.version = UnsafePointer(strdup("test"))
        host.pointee.log = { severity, line in
            guard let line else { return }
            let text = "\(severity.rawValue) " + String(cString: line)
            lines.withLock { $0.append(text) }
        }
        return UnsafePointer(host)
    }()
}
