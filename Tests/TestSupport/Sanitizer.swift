import Foundation

/// Whether the tests run with a sanitizer. `Scripts/sanitize` sets the variable.
///
/// Some tests cannot run with a sanitizer, which needs more memory and time, writes files, and adds symbols to each library.
package enum Sanitizer {
    package static let isActive = ProcessInfo.processInfo.environment["SYNTHHOST_SANITIZED"] != nil
    /// The factor for limits of processor time.
    package static let slowdown = isActive ? 10 : 1
}
