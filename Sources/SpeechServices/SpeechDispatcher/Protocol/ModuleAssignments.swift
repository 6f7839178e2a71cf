/// The lines of a block of settings.
struct ModuleAssignments: Equatable, Sendable {
    struct Assignment: Equatable, Sendable {
        let name: String
        let value: String

        /// nil = the line is no assignment.
        init?(_ line: String) {
            guard let sign = line.firstIndex(of: "=") else { return nil }
            name = String(line[..<sign])
            value = String(line[line.index(after: sign)...])
            if name.isEmpty || value.isEmpty { return nil }
        }
    }

    /// More of them than any server has.
    private static let most = 256

    private(set) var assignments: [Assignment] = []
    /// Whether a line was none.
    private(set) var isMalformed = false

    mutating func add(_ line: String) {
        if assignments.count < Self.most, let assignment = Assignment(line) {
            assignments.append(assignment)
        } else {
            isMalformed = true
        }
    }

    /// Uses all of them, also after one that cannot be used.
    ///
    /// - Parameter use: false = the value is wrong.
    /// - Returns: what is wrong; nil = nothing.
    func apply(_ use: (_ name: String, _ value: String) -> Bool) -> ModuleReply? {
        var isRight = true
        for assignment in assignments where !use(assignment.name, assignment.value) { isRight = false }
        if isMalformed { return .badSyntax }
        return isRight ? nil : .badValue
    }

    subscript(_ name: String) -> String? { assignments.last { $0.name == name }?.value }
}
