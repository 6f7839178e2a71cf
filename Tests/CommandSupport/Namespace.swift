package import TestSupport

/// A mount namespace for tests, if the system allows it.
package enum Namespace {
    package static let works: Bool = {
        guard let home = try? UserHome() else { return false }
        // In an unprivileged user's namespace, there is no root user, so engines owned by root are not loaded.
        let line = "mount -t tmpfs none /mnt && '\(BuildFolder.withoutNeuralEngines)/synthhost' voices --engine tone"
        return (try? run(line, home))?.code == 0
    }()

    /// Hides /proc from a shell command line. Programs from a build find their libraries through /proc.
    package static let withoutProc = "export LD_LIBRARY_PATH='\(BuildFolder.libraries)'; mount -t tmpfs none /proc"

    /// Runs a shell command line in the namespace.
    package static func run(_ line: String, _ home: UserHome) throws -> ChildResult {
        try ChildProcess(
            "/usr/bin/env", arguments: ["unshare", "-rm", "sh", "-c", line].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
    }
}
