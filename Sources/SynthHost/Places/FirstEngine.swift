import System
import VoiceCatalogue

/// The default engine, as the registries say. They are read once, at the first request.
final class FirstEngine: Sendable {
    private enum Answer {
        case unread
        case read(String?)
    }

    private static let largestRegistry = 64 << 20

    /// The registries. The first that names an engine counts.
    private let paths: [String]
    private let answer = Monitor(Answer.unread)

    init(paths: [String]) { self.paths = paths }

    /// nil = no registry names one, or none can be read. Blocks.
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
