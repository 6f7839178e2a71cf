/// Where a person is asked.
package enum QuestionTerminal: Sendable {
    /// The terminal that controls the process, if one does.
    case ofProcess
    /// A terminal that stays open for as long as the command runs.
    case descriptor(Int32)
    case none
}
