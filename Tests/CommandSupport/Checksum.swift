import TestSupport

/// File digests, computed by a program that is not part of this package.
package enum Checksum {
    package static func sha256(_ bytes: [UInt8]) throws -> String {
        let program = try ChildProcess("/usr/bin/sha256sum", arguments: [], environment: [:], input: .pipe)
        try program.feed(bytes, last: true)
        return String(try program.finish().text.prefix(64))
    }
}
