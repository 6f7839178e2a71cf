import Glibc
package import System

/// Starts a worker with a process group of its own, `/` as working directory and default signals. It inherits only the
/// control socket and a captured output.
package enum WorkerSpawn {
    /// Returns the process id. `control` becomes descriptor 3, `output` stdout and stderr. Paths in the arguments must
    /// be absolute. `environment` nil = the variables of this process.
    package static func start(
        program: String, arguments: [String], environment given: [String: String]? = nil, control: Descriptor,
        output: Descriptor
    ) throws(Errno) -> Int32 {
        var spawn = Spawn(group: .own)
        spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
        try spawn.pass(output.raw, as: STDOUT_FILENO)
        try spawn.pass(output.raw, as: STDERR_FILENO)
        try spawn.pass(control.raw, as: 3)
        // A relative path, in an engine or for the loader, must not lead to files in the user's working directory.
        spawn.work(in: "/")
        return try spawn.start(
            absolutePath(program), arguments: arguments.map { Array($0.utf8) }, environment: environment(given))
    }

    /// The given variables, or the host's own. The library path gets the folder of the host's Swift runtime, so that an
    /// engine in Swift finds it without a toolchain. The long backtrace that the runtime prints after a crash is turned
    /// off.
    ///
    /// malloc asks for huge pages (`madvise`): a neural model reads hundreds of megabytes, which takes up to an eighth
    /// less time with them.
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
