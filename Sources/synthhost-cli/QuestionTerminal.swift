/// The terminal that questions are asked on.
package enum QuestionTerminal: Sendable {
    /// The controlling terminal of the process, if it has one.
    case ofProcess
    /// A terminal that must stay open as long as the command runs.
    case descriptor(Int32)
    case none
}
