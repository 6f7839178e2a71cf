package import LocatedJSON
package import System

/// Why the page cannot be shown.
package enum PageFailure: Error, Sendable {
    case missing(String)
    case notRead(String, Errno)
    case notJSON(String, JSONSyntaxError)
}
