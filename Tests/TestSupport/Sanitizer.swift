import Foundation

/// The sanitizer with which the tests run. `Scripts/sanitize` sets the variable.
///
/// Some tests cannot run with a sanitizer, which needs more memory and time, writes files, and adds symbols to each library.
package enum Sanitizer {
    package static let isActive = name != nil
    package static let isAddress = name == "address"
    package static let isThread = name == "thread"
    /// The factor for limits of processor time.
    package static let slowdown = isActive ? 10 : 1

    private static let name = ProcessInfo.processInfo.environment["SYNTHHOST_SANITIZED"]
}
