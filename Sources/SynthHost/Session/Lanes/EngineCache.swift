import Engines
import System

/// The engines that sessions hold, so that sessions of one engine share its processes. An engine ends with the last
/// session that holds it, and with it the memory that its models take.
final class EngineCache: Sendable {
    private struct Place {
        weak var engine: Engine?
    }
    private struct Key: Hashable {
        let file: String
        let identity: FileIdentity?
    }
    private let places = Monitor<[Key: Place]>([:])

    /// The engine of a plugin's file as it is now, made if there is none yet, or none any more.
    func engine(of file: String, _ make: () -> Engine?) -> Engine? {
        let key = Key(file: file, identity: FileIdentity(path: file))
        return places.update { places in
            if let engine = places[key]?.engine { return engine }
            places = places.filter { $0.value.engine != nil }
            let engine = make()
            places[key] = Place(engine: engine)
            return engine
        }
    }

    /// Of the engines that are held.
    var figures: [EngineFigures] { places.read { $0.values.compactMap(\.engine) }.map(\.figures) }

    /// Ends the processes of all engines at once, for a program that leaves. Waits for nothing.
    func abandonAll() {
        let engines = places.read { places in places.values.compactMap(\.engine) }
        for engine in engines { engine.abandon() }
    }
}
