package import SynthEngineProcesses
import SynthEngineWire
package import SynthJSON
import SynthSystem

/// What a service does at a moment, and what it did since it began.
package struct ServiceFigures: Equatable, Sendable {
    /// A model that is loaded, or about to be.
    package struct Model: Hashable, Sendable {
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

    /// Sounds that clients want understood.
    package struct Hearings: Equatable, Sendable {
        /// Those that a recognizer has.
        package var running = 0
        package var waiting = 0
        package var understood = 0
        package var cancelled = 0
        package var failed = 0
        /// What recognizers were given.
        package var sound = Duration.zero
    }

    /// When the service began, in seconds since 1970.
    package var start: Int
    /// Since the service began.
    package var uptime: Duration
    package var engines: [EngineFigures]
    package var models: [Model]
    package var speeches: Speeches
    package var utterances: Utterances
    package var hearings = Hearings()
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

extension ServiceFigures {
    /// For programs: the members of an object. Times are in seconds, memory in bytes; null = there is no value yet.
    package var members: [JSONNode.Member] {
        [
            .init("start", start), .init("uptime", Self.seconds(uptime)),
            .init("memory", .number(Double(engines.reduce(0) { $0 + $1.memory }))),
            .init("engines", .array(engines.map { JSONNode(.object(Self.members(of: $0))) })),
            .init("models", .array(models.map { JSONNode(.object(Self.members(of: $0))) })),
            .init("speeches", .object([.init("running", speeches.running), .init("waiting", speeches.waiting)])),
            .init(
                "utterances",
                .object([
                    .init("spoken", utterances.spoken), .init("cancelled", utterances.cancelled),
                    .init("failed", utterances.failed), .init("replaced", utterances.replaced),
                ])),
            .init(
                "hearings",
                .object([
                    .init("running", hearings.running), .init("waiting", hearings.waiting),
                    .init("understood", hearings.understood), .init("cancelled", hearings.cancelled),
                    .init("failed", hearings.failed), .init("sound", Self.seconds(hearings.sound)),
                ])),
            .init("sound", Self.seconds(sound)), .init("work", Self.seconds(work)),
            .init("realTimeFactor", realTimeFactor.map { .number(Self.rounded($0)) } ?? .null),
            .init("firstSound", Self.summary(of: firstSound)), .init("cancel", Self.summary(of: cancel)),
        ]
    }

    private static func members(of engine: EngineFigures) -> [JSONNode.Member] {
        let processes = engine.processes.map { process in
            JSONNode(
                .object([
                    .init("process", Int(process.identifier)), .init("memory", .number(Double(process.memory))),
                ]))
        }
        return [
            .init("engine", engine.id), .init("file", engine.plugin),
            .init("memory", .number(Double(engine.memory))), .init("processes", .array(processes)),
        ]
    }

    private static func members(of model: Model) -> [JSONNode.Member] {
        [
            .init("engine", model.engine), .init("model", model.id), .init("lanes", model.lanes),
            .init("unused", model.unused.map(seconds) ?? .null),
        ]
    }

    private static func summary(of quantiles: Quantiles) -> JSONNode.Value {
        .object([
            .init("count", quantiles.count), .init("p50", quantiles.quantile(0.5).map(seconds) ?? .null),
            .init("p99", quantiles.quantile(0.99).map(seconds) ?? .null),
        ])
    }

    private static func seconds(_ duration: Duration) -> JSONNode.Value { .number(rounded(duration.seconds)) }

    /// To a millionth.
    private static func rounded(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
}

/// How long something took the last times, and what most of them took at most.
package struct Quantiles: Equatable, Sendable {
    private let capacity: Int
    private var durations: [Duration] = []
    /// Where the next one goes once all places are taken.
    private var next = 0

    /// - Parameter capacity: how many are kept, at least one.
    package init(last capacity: Int = 1000) { self.capacity = max(1, capacity) }

    /// How many there were in all, and their sum.
    package private(set) var total = 0
    package private(set) var sum = Duration.zero

    /// How many there are to judge by.
    package var count: Int { durations.count }

    package mutating func add(_ duration: Duration) {
        total += 1
        sum += duration
        if durations.count < capacity { return durations.append(duration) }
        durations[next] = duration
        next = (next + 1) % capacity
    }

    /// The shortest duration that a share of all does not exceed; nil = there are none yet.
    ///
    /// - Parameter share: 0.5 = the median. By the nearest rank: the result is one of the durations.
    package func quantile(_ share: Double) -> Duration? {
        guard !durations.isEmpty else { return nil }
        let rank = (share * Double(durations.count)).rounded(.up)
        let index = min(max(rank, 1), Double(durations.count)) - 1
        return durations.sorted()[Int(index)]
    }
}

extension JSONNode.Member {
    package init(_ name: String, _ value: JSONNode.Value) { self.init(name: name, node: JSONNode(value)) }
    package init(_ name: String, _ text: String) { self.init(name, .string(text)) }
    package init(_ name: String, _ number: Int) { self.init(name, .number(Double(number))) }
    package init(_ name: String, _ flag: Bool) { self.init(name, .boolean(flag)) }
}
