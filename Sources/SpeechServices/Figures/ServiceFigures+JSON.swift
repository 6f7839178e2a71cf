import Engines
package import LocatedJSON
import System

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
