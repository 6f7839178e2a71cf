import Engines
import System

/// The engines that sessions hold, so that sessions of one engine share its processes. An engine ends with the last
/// session that holds it, and with it the memory that its models take.
final class EngineCache: Sendable {
    private struct Place {
        weak var engine: Engine?
    }
    private let places = Monitor<[String: Place]>([:])

    /// The engine of a plugin's file, made if there is none yet, or none any more.
    func engine(of file: String, _ make: () -> Engine?) -> Engine? {
        places.update { places in
            if let engine = places[file]?.engine { return engine }
            let engine = make()
            places[file] = Place(engine: engine)
            return engine
        }
    }

    /// Ends the processes of all engines at once, for a program that leaves. Waits for nothing.
    func abandonAll() {
        let engines = places.read { places in places.values.compactMap(\.engine) }
        for engine in engines { engine.abandon() }
    }
}
