import CLinux
import Glibc
package import System

/// Starts a worker: a process group of its own, the root folder to work in, default signals, nothing inherited but the
/// control socket and an output that is captured.
package struct WorkerSpawn: ~Copyable {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    package init() {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
    }

    deinit {
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    /// The new process. `control` becomes its descriptor 3, `output` its stdout and stderr. Paths among the arguments
    /// have to be absolute.
    package mutating func start(
        program: String, arguments: [String], control: Descriptor, output: Descriptor
    ) throws(Errno) -> Int32 {
        // A host that was started without them has these numbers free.
        let control = try control.raised(to: 4)
        let output = try output.raised(to: 4)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.raw, 1)
        posix_spawn_file_actions_adddup2(&actions, output.raw, 2)
        posix_spawn_file_actions_adddup2(&actions, control.raw, 3)
        linux_close_from(&actions, 4)
        // A path that is not absolute, in an engine or for the loader, must not reach what lies where the user works.
        linux_change_folder(&actions, "/")
        let program = absolutePath(program)

        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        let envp = Self.environment().map { strdup($0) } + [nil]
        defer { for string in argv + envp { free(string) } }
        var process: pid_t = 0
        let failure = withExtendedLifetime((control, output)) {
            posix_spawn(&process, program, &actions, &attributes, argv, envp)
        }
        guard failure == 0 else { throw Errno(failure) }
        return process
    }

    /// The host's own, with the Swift runtime that the host runs on in the library path, so that an engine in Swift
    /// finds it where no toolchain is, and without the runtime's pages of backtrace for each crash.
    ///
    /// Its memory comes in huge pages where the kernel gives them to those who ask: a neural model walks through hundreds
    /// of megabytes, which takes up to an eighth less time with them.
    private static func environment() -> [String] {
        var variables = ["SWIFT_BACKTRACE": "enable=no", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"]
        var entry = environ
        while let string = entry.pointee {
            let parts = String(cString: string).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        let inherited = LibraryPath.folders(in: variables[LibraryPath.variable] ?? "")
        let folders = (SwiftRuntime.folder.map { [$0] } ?? []) + inherited
        variables[LibraryPath.variable] = folders.isEmpty ? nil : folders.joined(separator: ":")
        return variables.map { "\($0.key)=\($0.value)" }
    }
}
