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

extension RegistryError: CustomStringConvertible {
    /// A short technical description: "models.json, line 6: voice a: badRole("x")".
    package var description: String {
        let place =
            switch origin {
            case .file(let path): path
            case .engine(let id): "engine \(id)"
            }
        let what =
            switch subject {
            case .source(let id): "source \(id): "
            case .model(let id): "model \(id): "
            case .voice(let id): "voice \(id): "
            case .engine(let id): "engine \(id): "
            case .key(let name): "\(name): "
            case nil: ""
            }
        return place + (line.map { ", line \($0)" } ?? "") + ": \(what)\(problem)"
    }
}
