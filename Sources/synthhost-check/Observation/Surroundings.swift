import EngineChecks
import Glibc
import System

/// Empty folders that stand in for those of the user.
struct Surroundings {
    /// What the engine may write to.
    let cache: String
    /// The folder for files of the check itself.
    let own: String
    /// What the engine must leave alone.
    let forbidden: [String]
    /// Removes the folders at the end if the caller does not.
    private let scratch: ScratchFolder?

    /// Makes the folders and sets them in the environment of the process.
    static func enter(_ folder: String?) throws(CheckFinding) -> Surroundings {
        do {
            let scratch = folder == nil ? try ScratchFolder() : nil
            return try Surroundings(folder ?? scratch?.path ?? "/", scratch)
        } catch {
            throw .skipped("There is no room for temporary files: \(error).")
        }
    }

    private init(_ folder: String, _ scratch: ScratchFolder?) throws(Errno) {
        self.scratch = scratch
        cache = "\(folder)/cache"
        own = "\(folder)/own"
        forbidden = ["work", "home", "temporary"].map { "\(folder)/\($0)" }
        for path in [cache, own] + forbidden { try Errno.check { mkdir(path, 0o700) } }
        try Errno.check { chdir(forbidden[0]) }
        setenv("HOME", forbidden[1], 1)
        for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { unsetenv(variable) }
        setenv("TMPDIR", forbidden[2], 1)
    }
}
