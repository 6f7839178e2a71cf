import Glibc
import System

/// The conversation, in a file that the server names. A disk that is full ends the log and nothing else. Any thread may use
/// it.
final class ModuleLog: Sendable {
    private let file = Monitor<Descriptor?>(nil)

    /// Of a message; sound is cut.
    private static let longest = 400

    /// - Parameter path: nil = no log any more.
    /// - Returns: false if the file cannot be written.
    func open(_ path: String?) -> Bool {
        guard let path else {
            file.update { $0 = nil }
            return true
        }
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY
        guard let opened = try? Descriptor.open(path, flags, mode: 0o600),
            RegularFile(descriptor: opened.raw) != nil
        else { return false }
        file.update { $0 = opened }
        return true
    }

    func heard(_ bytes: UnsafeRawBufferPointer) {
        guard file.read({ $0 != nil }) else { return }
        write("< ", Array(bytes.prefix(Self.longest)), of: bytes.count)
    }

    func said(_ bytes: [UInt8]) {
        guard file.read({ $0 != nil }) else { return }
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        write("> ", Array(bytes[..<min(end, Self.longest)]), of: bytes.count)
    }

    private func write(_ head: String, _ bytes: [UInt8], of count: Int) {
        var line = Array(head.utf8) + bytes.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 }
        if bytes.count < count { line += Array(" (\(count) bytes)".utf8) }
        line.append(0x0A)
        file.update { file in
            do {
                try file?.writeAll(line)
            } catch {
                file = nil
            }
        }
    }
}
