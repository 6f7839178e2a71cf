/// A registry that cannot be used, or something that it does not hold.
package struct RegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, or the engine, that says it.
    package let origin: String
    package let line: Int?
    /// "voice en_US-lessac-medium", "source piper" …
    package let subject: String?
    package let problem: String
    /// What to type next.
    package let remedy: String

    package init(origin: String, line: Int? = nil, subject: String? = nil, problem: String, remedy: String) {
        self.origin = origin
        self.line = line
        self.subject = subject
        self.problem = problem
        self.remedy = remedy
    }

    /// What is wrong, and where.
    package var message: String {
        let place = line.map { "\(origin), line \($0)" } ?? origin
        return "\(place): \(subject.map { "\($0): " } ?? "")\(problem)."
    }

    package var description: String { "\(message) \(remedy)" }
}
