import TestSupport

/// A place where a test may mount, if the system has such.
enum Namespace {
    static let works: Bool = {
        guard let home = try? UserHome() else { return false }
        // An ordinary user's has no root, whom the engines of the build may belong to; then none of them is loaded.
        let line = "mount -t tmpfs none /mnt && '\(BuildFolder.withoutNeuralEngines)/synthhost' voices --engine tone"
        return (try? run(line, home))?.code == 0
    }()

    /// Runs a line of shell there.
    static func run(_ line: String, _ home: UserHome) throws -> ChildResult {
        try ChildProcess(
            "/usr/bin/env", arguments: ["unshare", "-rm", "sh", "-c", line].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
    }
}
