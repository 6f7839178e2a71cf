import CSynthEngine
import Glibc
import SynthSystem

/// The host that tests pass to engines, and its log lines.
package enum HostLog {
    private static let lines = Monitor<[String]>([])

    /// The lines that contain a word, each preceded by its severity.
    package static func lines(containing word: String) -> [String] {
        lines.read { lines in lines.filter { isIn($0, word) } }
    }

    /// The lines after the first `start` lines.
    package static func lines(after start: Int) -> [String] { lines.read { Array($0.dropFirst(start)) } }

    package static var lineCount: Int { lines.read { $0.count } }

    /// Waits until `count` lines after the first `start` lines contain the word.
    package static func waitForLines(containing word: String, count: Int, after start: Int) {
        _ = lines.wait { lines in lines[start...].count { isIn($0, word) } >= count ? true : nil }
    }

    private static func isIn(_ line: String, _ word: String) -> Bool {
        line.split(separator: " ").contains { $0 == word }
    }

    /// Written once and valid until the process exits.
    nonisolated(unsafe) static let host: UnsafePointer<synth_host> = {
        let host = UnsafeMutablePointer<synth_host>.allocate(capacity: 1)
        host.initialize(to: synth_host())
        host.pointee.struct_size = UInt32(MemoryLayout<synth_host>.size)
        host.pointee.abi = UInt32(SYNTH_ABI)
        host.pointee.version = UnsafePointer(strdup("test"))
        host.pointee.log = { severity, line in
            guard let line else { return }
            let text = "\(severity.rawValue) " + String(cString: line)
            lines.update { $0.append(text) }
        }
        return UnsafePointer(host)
    }()
}
