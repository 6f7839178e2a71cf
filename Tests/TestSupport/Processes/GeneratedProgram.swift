import Glibc

/// A program that a test creates and runs.
///
/// A separate process writes the file, because if this process did, other tests' child processes could hold it open for
/// writing until they call `exec`, and a file that is open for writing cannot be run (ETXTBSY).
package enum GeneratedProgram {
    /// Writes an executable script.
    package static func write(_ script: String, to path: String) throws {
        try make(#"cat > "$1.new" && chmod 755 "$1.new" && mv "$1.new" "$1""#, [path], input: Array(script.utf8))
    }

    package static func copy(_ program: String, to path: String) throws {
        try make(#"cp "$1" "$2""#, [program, path], input: [])
    }

    private static func make(_ command: String, _ paths: [String], input: [UInt8]) throws {
        let arguments = ["-c", command, "sh"] + paths
        let shell = try ChildProcess(
            "/bin/sh", arguments: arguments.map { Array($0.utf8) }, environment: ["PATH": "/usr/bin:/bin"], input: .pipe
        )
        try shell.feed(input, last: true)
        let result = try shell.finish()
        guard result.code == 0 else { throw ChildProcess.TimeOut(description: "\(command): \(result.errors)") }
    }
}
