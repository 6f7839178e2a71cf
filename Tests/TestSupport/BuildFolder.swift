import Glibc

/// The folder that the build put the test bundle in, and beside it the programs and the engines.
package enum BuildFolder {
    package static let path: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let executable = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
    }()
}
