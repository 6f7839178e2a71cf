package import EngineWire
import Glibc
import System

/// A file that is checked before it is loaded: `dlopen` of a damaged one kills the process, and of a FIFO never returns.
package struct TrustedFile {
    /// Absolute and without links, so that a library in the same folder is found.
    package let path: String

    package init(path: String) throws(Refusal) {
        guard let resolved = realpath(path, nil) else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        var status = stat()
        guard lstat(resolved, &status) == 0 else {
            throw Refusal(.cannotBeOpened(Errno.last))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Refusal(.notRegularFile) }
    }

    /// An engine runs with the rights of the user, so no other user may be able to write it.
    package func checkTrust() throws(Refusal) {
        var trust = Trust()
        try trust.check(path)
    }

    /// Throws if `dlopen` would crash or never return.
    package func checkFormat() throws(Refusal) { try Elf(path: path).checkWholeness() }

    /// The same check for the libraries that the loader loads with it. The format must be checked first.
    package func checkLibraries() throws(Refusal) {
        var libraries = LoadedLibraries(environment: { getenv($0).map { String(cString: $0) } })
        try libraries.check(of: path)
    }
}
