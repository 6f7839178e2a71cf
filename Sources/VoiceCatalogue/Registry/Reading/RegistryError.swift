/// Why a registry, or a voice that an engine declares, cannot be used.
package struct RegistryError: Error, Sendable, Hashable {
    /// Where the invalid data comes from.
    package enum Origin: Sendable, Hashable {
        /// A path.
        case file(String)
        /// An id.
        case engine(String)

        /// The path, or the id.
        package var name: String {
            switch self {
            case .file(let path): path
            case .engine(let id): id
            }
        }
    }

    /// What the problem is about, by its id.
    package enum Subject: Sendable, Hashable {
        case source(String)
        case model(String)
        case voice(String)
        case engine(String)
        /// A key that the registry does not have, or one with a wrong value.
        case key(String)
    }

    package let origin: Origin
    /// Counted from 1.
    package let line: Int?
    package let subject: Subject?
    package let problem: RegistryProblem

    package init(origin: Origin, line: Int? = nil, subject: Subject? = nil, _ problem: RegistryProblem) {
        self.origin = origin
        self.line = line
        self.subject = subject
        self.problem = problem
    }
}
