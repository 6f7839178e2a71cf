import Glibc
import System

/// The Swift runtime that this process runs on.
enum SwiftRuntime {
    /// The folder of its libraries; nil if they are linked statically.
    static let folder: String? = {
        guard let maps = try? readWholeFile("/proc/self/maps", limit: 4 << 20) else { return nil }
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            guard let slash = line.firstIndex(of: UInt8(ascii: "/")) else { continue }
            let path = String(decoding: line[slash...], as: UTF8.self)
            if path.hasSuffix("/libswiftCore.so") { return String(path.dropLast("/libswiftCore.so".count)) }
        }
        return nil
    }()
}
