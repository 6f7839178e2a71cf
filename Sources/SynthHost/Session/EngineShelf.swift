import Engines
import System

/// The engines that were started, so that sessions of one model share it.
final class EngineShelf: Sendable {
    private let engines = Monitor<[String: Engine]>([:])

    /// The engine of a plugin's file, made where there is none yet.
    func engine(of file: String, _ make: () -> Engine?) -> Engine? {
        engines.update { engines in
            if let engine = engines[file] { return engine }
            engines[file] = make()
            return engines[file]
        }
    }
}
