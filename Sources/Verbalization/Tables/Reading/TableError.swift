package import System

/// Why a language's tables cannot be used.
package enum TableError: Error, Hashable, Sendable {
    case unreadable(path: String, Errno)
    case flawed(path: String, line: Int, TableFlaw)
    /// There is no ICU on this machine, which has the words of numbers.
    case noNumberWords
}
