/// One line of `doctor`.
struct DoctorFinding: Encodable {
    enum State: String, Encodable {
        case good
        /// Worth knowing; `speak` works anyway.
        case note
        case bad
    }
    let state: State
    let subject: String
    let detail: String
    let remedy: String?

    init(_ state: State, _ subject: String, _ detail: String, remedy: String? = nil) {
        self.state = state
        self.subject = subject
        self.detail = detail
        self.remedy = remedy
    }

    init(_ state: State, _ subject: String, _ failure: CommandFailure) {
        self.init(state, subject, failure.message ?? "", remedy: failure.remedy)
    }

    /// What was found, and what to type if there is something to do.
    var lines: [String] {
        let mark =
            switch state {
            case .good: "ok  "
            case .note: "note"
            case .bad: "BAD "
            }
        return ["\(mark)  \(subject): \(detail)"] + (remedy.map { ["      \($0)"] } ?? [])
    }
}
