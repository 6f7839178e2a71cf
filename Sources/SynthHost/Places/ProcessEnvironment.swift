import Glibc

/// The variables of this process.
package enum ProcessEnvironment {
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let string = entry.pointee {
            let parts = String(cString: string).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }
}
