/// How a check ended.
package enum CheckVerdict: UInt8, CaseIterable, Sendable {
    case passed = 0
    /// Works, but could be better.
    case warning = 1
    case failed = 2
    /// The process of the check ended by itself, or did not end in time.
    case crashed = 3
    /// Could not run; the detail says why.
    case skipped = 4

    package var word: String {
        switch self {
        case .passed: "passed"
        case .warning: "warning"
        case .failed: "failed"
        case .crashed: "crashed"
        case .skipped: "skipped"
        }
    }
}
