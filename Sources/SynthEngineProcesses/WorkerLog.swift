import Glibc
package import SynthEngineWire
import SynthSystem

/// The log file for a worker's output. It is created when the first byte is written, and its size is limited.
final class WorkerLog {
    let path: String
    private let limit = 1 << 20
    private var written = 0
    private var file: Descriptor?

    init(path: String) { self.path = path }

    var isEmpty: Bool { written == 0 }

    /// Appends bytes. Bytes beyond the size limit are dropped, so that an engine cannot fill the disk. Bytes that
    /// cannot be written are also dropped.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if file == nil, written == 0 {
            makeFolder(of: path)
            // O_NONBLOCK, because opening a FIFO without a reader would otherwise block.
            file = try? Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY, mode: 0o600)
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(limit - written))
        if !rest.isEmpty { try? file?.writeAll(rest) }
        written += rest.count
    }
}

/// Receives an engine's log line by line. May be called on any thread.
package typealias EngineLog = @Sendable (LogSeverity, String) -> Void

extension String {
    /// The text as a single line of limited length without control characters, suitable for a terminal.
    package var asOneLine: String {
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(2000) {
            line.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(line)
    }
}
