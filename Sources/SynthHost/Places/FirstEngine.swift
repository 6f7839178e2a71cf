import System
import VoiceCatalogue

/// Which engine speaks as long as nobody chose another, as the registries say. They are read once, when somebody asks.
final class FirstEngine: Sendable {
    private enum Answer {
        case unread
        case read(String?)
    }

    private static let largestRegistry = 64 << 20

    /// Of registries, the first that names one counts.
    private let paths: [String]
    private let answer = Monitor(Answer.unread)

    init(paths: [String]) { self.paths = paths }

    /// nil = none says so, or none can be read. Blocks.
    var id: String? {
        answer.update { answer -> String? in
            if case .read(let id) = answer { return id }
            let id = paths.lazy.compactMap { path in
                (try? readWholeFile(path, limit: Self.largestRegistry)).flatMap { Registry.firstEngine(in: $0) }
            }.first
            answer = .read(id)
            return id
        }
    }
}
