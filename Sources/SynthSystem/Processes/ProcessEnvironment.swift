import CSynthLinux
import Glibc

/// The variables of this process.
package struct ProcessEnvironment {
    package private(set) var variables: [String: String] = [:]
    /// Variables that contain paths and are not UTF-8. Repaired, they would name other files.
    package private(set) var misleading: [String] = []
    /// The raw entries: `NAME=value`.
    var entries: [[UInt8]] = []

    package init() {
        var entry = environ
        while let string = entry.pointee {
            entries.append(
                Array(UnsafeBufferPointer(start: string, count: strlen(string))).map { UInt8(bitPattern: $0) })
            let parts = String(cString: string).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            if let name = parts.first.map(String.init), Self.leadsToFiles(name),
                String(validatingCString: string) == nil
            {
                misleading.append(name)
            }
            entry += 1
        }
    }

    private static func leadsToFiles(_ name: String) -> Bool {
        name == "HOME" || name.hasPrefix("XDG_") || name.hasPrefix("SYNTHHOST_")
    }
}

/// The arguments that were passed to the process at its start. `CommandLine` reads them from `/proc`, and has none if
/// `/proc` is missing.
package enum ProcessArguments {
    /// The arguments after the program's name, as NUL-terminated bytes. They are valid until the process ends.
    package static var raw: [UnsafePointer<CChar>] {
        (1..<max(1, linux_argument_count())).compactMap { linux_argument($0) }
    }

    /// The arguments as text; invalid UTF-8 is repaired.
    package static var texts: [String] { raw.map { String(cString: $0) } }

    /// The path of this process's program, without links; nil if it is unknown.
    package static var executable: String? {
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let base = buffer.baseAddress, case let count = readlink("/proc/self/exe", base, buffer.count),
                count > 0
            else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
        }
        if let path { return path }
        return linux_executable().flatMap { LinkTarget.real(String(cString: $0)) }
    }
}
