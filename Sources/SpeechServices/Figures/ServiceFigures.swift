package import Engines
import EngineWire

/// What a service does at a moment, and what it did since it began.
package struct ServiceFigures: Equatable, Sendable {
    /// A model that is loaded, or about to be.
    package struct Model: Equatable, Sendable {
        /// The engine's id, or its file if no engine of it runs.
        package var engine: String
        package var id: String
        /// Lanes that are open on it; 0 = it is not loaded yet.
        package var lanes: Int
        /// Since its last utterance; nil while somebody speaks with it or waits for it.
        package var unused: Duration?
    }

    /// Speeches of clients, and utterances of programs that were lent a lane.
    package struct Speeches: Equatable, Sendable {
        /// Those that sound.
        package var running = 0
        /// Those that were asked for and do not sound yet.
        package var waiting = 0
    }

    /// Utterances that an engine was asked for, by how they ended.
    package struct Utterances: Equatable, Sendable {
        package var spoken = 0
        package var cancelled = 0
        package var failed = 0
        /// How often another voice spoke the rest after one had failed; what programs do on lanes of their own is not known.
        package var replaced = 0
    }

    /// When the service began, in seconds since 1970.
    package var start: Int
    /// Since the service began.
    package var uptime: Duration
    package var engines: [EngineFigures]
    package var models: [Model]
    package var speeches: Speeches
    package var utterances: Utterances
    /// What engines made, before tempo and pauses.
    package var sound: Duration
    /// How long engines were waited for meanwhile: time in which the sound was not taken does not count.
    package var work: Duration
    /// From the question to the first sound, of texts that were known at once; the last of them.
    package var firstSound: Quantiles
    /// From a cancel to the end of the speech; the last of them.
    package var cancel: Quantiles

    /// How long engines work for a second of sound, in seconds; nil = none was made yet.
    package var realTimeFactor: Double? { sound > .zero ? work / sound : nil }

    /// The models that engines have loaded, and those that stay or are about to be loaded, in the order of their names.
    ///
    /// - Parameter kept: with the time of the last use; nil = in use.
    static func models(
        _ kept: [(plugin: String, load: LoadRequest, idleSince: ContinuousClock.Instant?)], in engines: [EngineFigures],
        at now: ContinuousClock.Instant
    ) -> [Model] {
        var models: [Model] = []
        var known: Set<LoadedName> = []
        for (plugin, load, idleSince) in kept {
            let lanes = engines.reduce(0) { $0 + ($1.plugin == plugin ? $1.models[load] ?? 0 : 0) }
            let engine = engines.first { $0.plugin == plugin }?.id ?? plugin
            known.insert(LoadedName(plugin: plugin, load: load))
            models.append(
                Model(engine: engine, id: load.id, lanes: lanes, unused: idleSince.map { max(.zero, now - $0) }))
        }
        // What was dropped while somebody spoke with it.
        for engine in engines {
            for (load, lanes) in engine.models
            where known.insert(LoadedName(plugin: engine.plugin, load: load)).inserted {
                models.append(Model(engine: engine.id, id: load.id, lanes: lanes, unused: nil))
            }
        }
        return models.sorted { ($0.engine, $0.id, $0.lanes) < ($1.engine, $1.id, $1.lanes) }
    }

    private struct LoadedName: Hashable {
        let plugin: String
        let load: LoadRequest
    }
}
