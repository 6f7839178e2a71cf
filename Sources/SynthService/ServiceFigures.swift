package import SynthEngineProcesses
import SynthEngineWire
package import SynthJSON
import SynthSystem

/// A service's current state and its totals since it started.
package struct ServiceFigures: Equatable, Sendable {
    /// A loaded model, or a model that is about to be loaded.
    package struct Model: Hashable, Sendable {
        /// The engine's ID, or the path of its file if the engine is not running.
        package var engine: String
        package var id: String
        /// The number of open lanes, or 0 if the model is not loaded yet.
        package var lanes: Int
        /// The time since the last utterance, or nil while clients are using the model or waiting for it.
        package var unused: Duration?
    }

    /// Speech requests from clients, and utterances on lanes borrowed by client programs.
    package struct Speeches: Equatable, Sendable {
        /// Requests that are producing audio.
        package var running = 0
        /// Requests that have not produced audio yet.
        package var waiting = 0
    }

    /// Utterances by outcome.
    package struct Utterances: Equatable, Sendable {
        package var spoken = 0
        package var cancelled = 0
        package var failed = 0
        /// The number of times that a fallback voice took over after a failure, excluding fallbacks within client
        /// programs.
        package var replaced = 0
    }

    /// Transcriptions for clients.
    package struct Transcriptions: Equatable, Sendable {
        /// Transcriptions that have a recognizer.
        package var running = 0
        package var waiting = 0
        package var transcribed = 0
        package var cancelled = 0
        package var failed = 0
        /// The duration of the audio passed to recognizers.
        package var sound = Duration.zero
    }

    /// The Unix time of the start, in seconds.
    package var start: Int
    /// The time since the start.
    package var uptime: Duration
    package var engines: [EngineFigures]
    package var models: [Model]
    package var speeches: Speeches
    package var utterances: Utterances
    package var transcriptions = Transcriptions()
    /// The duration of the audio that engines have produced, before the host changes the tempo and inserts pauses.
    package var sound: Duration
    /// The total time spent waiting for engines, excluding any time spent blocked by the audio consumer.
    package var work: Duration
    /// The latency to the first audio, over recent requests whose text was complete from the start.
    package var firstSound: Quantiles
    /// The latency from a cancellation to the end of the request, over recent requests.
    package var cancel: Quantiles

    /// Engine time per second of audio, or nil if there is no audio yet.
    package var realTimeFactor: Double? { sound > .zero ? work / sound : nil }

    /// Returns the loaded models and those about to be loaded, sorted by name.
    ///
    /// - Parameter kept: the cached models and the time of their last use, which is nil for models in use.
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
        // Add models that were evicted while in use.
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
    /// The figures as JSON members. Times are in seconds and memory is in bytes. A missing value is null.
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
                "transcriptions",
                .object([
                    .init("running", transcriptions.running), .init("waiting", transcriptions.waiting),
                    .init("transcribed", transcriptions.transcribed),
                    .init("cancelled", transcriptions.cancelled),
                    .init("failed", transcriptions.failed),
                    .init("sound", Self.seconds(transcriptions.sound)),
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

    private static func rounded(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }
}

/// Recent durations of an operation, with quantiles.
package struct Quantiles: Equatable, Sendable {
    private let capacity: Int
    private var durations: [Duration] = []
    /// The index at which the next value is stored once the capacity is reached.
    private var next = 0

    /// - Parameter capacity: the maximum number of recent values to keep, at least 1.
    package init(last capacity: Int = 1000) { self.capacity = max(1, capacity) }

    /// The number of all values so far, including dropped ones.
    package private(set) var total = 0
    /// The sum of all values so far, including dropped ones.
    package private(set) var sum = Duration.zero

    /// The number of recent values that are kept.
    package var count: Int { durations.count }

    package mutating func add(_ duration: Duration) {
        total += 1
        sum += duration
        if durations.count < capacity { return durations.append(duration) }
        durations[next] = duration
        next = (next + 1) % capacity
    }

    /// Returns a quantile of the recent values by the nearest-rank method, or nil if there are no values.
    ///
    /// - Parameter share: the level of the quantile, from 0 to 1, such as 0.5 for the median.
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
