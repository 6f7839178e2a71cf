import Glibc
package import System

/// Starts a worker: a process group of its own, the root folder to work in, default signals, nothing inherited but the
/// control socket and an output that is captured.
package enum WorkerSpawn {
    /// The new process. `control` becomes its descriptor 3, `output` its stdout and stderr. Paths among the arguments
    /// have to be absolute. `environment` is nil for the variables of this process.
    package static func start(
        program: String, arguments: [String], environment given: [String: String]? = nil, control: Descriptor,
        output: Descriptor
    ) throws(Errno) -> Int32 {
        var spawn = Spawn(group: .own)
        spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
        try spawn.pass(output.raw, as: STDOUT_FILENO)
        try spawn.pass(output.raw, as: STDERR_FILENO)
        try spawn.pass(control.raw, as: 3)
        // A path that is not absolute, in an engine or for the loader, must not reach what lies where the user works.
        spawn.work(in: "/")
        return try spawn.start(
            absolutePath(program), arguments: arguments.map { Array($0.utf8) }, environment: environment(given))
    }

    /// The host's own or those that are given, with the Swift runtime that the host runs on in the library path, so that
    /// an engine in Swift finds it without a toolchain, and without the runtime's pages of backtrace for each crash.
    ///
    /// Its memory comes in huge pages if the kernel gives them to those who ask: a neural model walks through hundreds
    /// of megabytes, which takes up to an eighth less time with them.
    private static func environment(_ given: [String: String]?) -> [String: String] {
        var variables = ["SWIFT_BACKTRACE": "enable=no", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"]
        variables.merge(given ?? inherited()) { $1 }
        let named = LibraryPath.folders(in: variables[LibraryPath.variable] ?? "")
        let folders = (SwiftRuntime.folder.map { [$0] } ?? []) + named
        variables[LibraryPath.variable] = folders.isEmpty ? nil : folders.joined(separator: ":")
        return variables
    }

    private static func inherited() -> [String: String] {
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
