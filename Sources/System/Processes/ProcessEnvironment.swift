import Glibc

/// The variables of this process.
package struct ProcessEnvironment {
    package private(set) var variables: [String: String] = [:]
    /// Variables with paths that are not UTF-8. If they were repaired, they would name other files.
    package private(set) var misleading: [String] = []
    /// As they are: `NAME=value`.
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
