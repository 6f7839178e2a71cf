import Engines
import System

/// The engines that speak now, so that sessions of one model share it. An engine goes with the last that holds it.
final class EngineShelf: Sendable {
    private final class Place: Sendable {
        weak let engine: Engine?
        init(_ engine: Engine?) { self.engine = engine }
    }
    private let engines = Monitor<[String: Place]>([:])

    /// The engine of a plugin's file, made where there is none now.
    func engine(of file: String, _ make: () -> Engine?) -> Engine? {
        engines.update { places in
            if let engine = places[file]?.engine { return engine }
            let engine = make()
            places[file] = Place(engine)
            return engine
        }
    }
}
