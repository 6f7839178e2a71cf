import Engines
import EngineWire

extension CommandFailure {
    /// The engine cannot speak a voice that is being added.
    init(_ error: EngineFailure, refusing title: String) {
        if case .reported(let reported) = error.reason, reported.kind == .failed {
            self.init(.unavailable, reported.words)
            return
        }
        var code = CommandFailure(error).code
        // The test text is trivial, so a refused request means that the voice is unusable.
        if case .reported(let reported) = error.reason, reported.kind == .badRequest { code = .unavailable }
        self.init(
            code, "\(title) was not added, because its engine cannot speak it. \(error.message)",
            error.log.map { "Get other files of it, or tell the engine's author. Its log: \($0)" }
                ?? "Get other files of it, or tell the engine's author.")
    }
}
