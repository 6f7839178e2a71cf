import TestSupport

/// A place where an ordinary user may mount, if the system has such.
enum Namespace {
    static let works: Bool = {
        guard let home = try? UserHome() else { return false }
        return (try? run("mount -t tmpfs none /mnt", home))?.code == 0
    }()

    /// Runs a line of shell there.
    static func run(_ line: String, _ home: UserHome) throws -> ChildResult {
        try ChildProcess(
            "/usr/bin/env", arguments: ["unshare", "-rm", "sh", "-c", line].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
    }
}
