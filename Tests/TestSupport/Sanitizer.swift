import Foundation

/// The sanitizer that the tests run with. `Scripts/sanitize` sets the variable.
///
/// Some tests cannot run with a sanitizer, which needs more memory and time, writes files, and adds symbols to each library.
package enum Sanitizer {
    package static let isActive = name != nil
    package static let isAddress = name == "address"
    package static let isThread = name == "thread"
    /// The factor by which CPU time limits are multiplied.
    package static let slowdown = isActive ? 10 : 1

    private static let name = ProcessInfo.processInfo.environment["SYNTHHOST_SANITIZED"]
}
