import Engines
import EngineWire
import Glibc

extension EngineFailure {
    /// What happened, in one sentence, and where more stands.
    var sentence: String { what + (log.map { " Its log: \($0)" } ?? "") }

    private var what: String {
        switch reason {
        case .refused: "The engine \(engine) cannot be used; `synthhost doctor` says why."
        case .notStarted: "The process for the engine \(engine) did not start."
        case .crashed(let signal, _): "The engine \(engine) crashed: \(String(cString: strsignal(signal)))."
        case .exited(let code, _): "The engine \(engine) ended with code \(code)."
        case .hung(let limit, _): "The engine \(engine) gave no answer in \(limit)."
        case .violatedProtocol: "The engine \(engine) damaged its process."
        case .reported(let error):
            "The engine \(engine) cannot speak this: " + (error.message.isEmpty ? "it gave no reason." : error.message)
        case .unspeakableText: "The engine \(engine) takes no text that is so long, or holds a NUL."
        }
    }
}
