/// A registry that cannot be used, or a voice that an engine declares and cannot have.
package struct RegistryError: Error, Sendable, Hashable {
    /// Who says it.
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

    /// What it is said of, by its id.
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
    /// In few words, for whoever has no better ones: "models.json, line 6: voice a: badRole("x")".
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
