import SynthEngineProcesses
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// The status of a service, for load balancers and monitoring: `/health`, `/metrics`, `/api/status`.
struct FigureRoutes: Sendable {
    let service: SpeechService
    let requests: WebRequestCounts
    let ending: WebEnding

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/health"), .nothing, takesNoRoom: true) { [ending] _, answer in
                let hasBegun = ending.hasBegun
                try answer.send(
                    hasBegun ? .serviceUnavailable : .ok,
                    json: JSONNode([.init("status", hasBegun ? "draining" : "ok")]))
            },
            WebRoute("GET", .exact("/metrics"), .access) { [service, requests] _, answer in
                let text = service.figures().metrics + requests.metrics
                try answer.send(
                    .ok, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8), [("Cache-Control", "no-store")])
            },
            WebRoute("GET", .exact("/api/status"), .access) { [service] _, answer in
                try answer.send(json: JSONNode(service.figures().members))
            },
        ]
    }
}

/// Counts a web server's responses by endpoint and status. Thread-safe.
package final class WebRequestCounts: Sendable {
    /// A group of endpoints. Paths are not counted individually, because clients may request any path.
    private enum Kind: String {
        case speech, hearing, models, library, page, other

        init(_ path: String?) {
            switch path {
            case "/v1/audio/speech"?, "/dev/captioned_speech"?: self = .speech
            case "/v1/audio/transcriptions"?, "/v1/audio/translations"?, "/v1/realtime"?: self = .hearing
            case "/"?: self = .page
            case let path? where path.hasPrefix("/v1/"): self = .models
            case let path? where path.hasPrefix("/api/"): self = .library
            case let path? where path.hasPrefix("/page/"): self = .page
            default: self = .other
            }
        }
    }
    private struct CountKey: Hashable {
        let kind: Kind
        /// The first digit of the status, such as 2 for 200 to 299.
        let statusClass: Int
    }
    private let counts = Monitor<[CountKey: Int]>([:])

    package init() {}

    /// - Parameter path: the path, or nil if the request could not be read.
    func count(_ path: String?, _ status: HTTPStatus) {
        counts.update { $0[CountKey(kind: Kind(path), statusClass: status.code / 100), default: 0] += 1 }
    }

    /// The counts as Prometheus metrics.
    package var metrics: String {
        var family = MetricFamily(
            "http_requests_total", .counter,
            "HTTP responses, by endpoint and status.")
        let counts = counts.read { $0 }.sorted {
            ($0.key.kind.rawValue, $0.key.statusClass) < ($1.key.kind.rawValue, $1.key.statusClass)
        }
        for (place, count) in counts {
            family.add(Double(count), [("kind", place.kind.rawValue), ("status", "\(place.statusClass)xx")])
        }
        return family.text
    }
}

extension ServiceFigures {
    /// The statistics as Prometheus metrics. Times are in seconds and memory is in bytes.
    var metrics: String {
        families.map(\.text).joined()
    }

    private var families: [MetricFamily] {
        var families = [
            Self.family(
                "start_time_seconds", .gauge, "Start time of the service, in seconds since 1970.", Double(start)),
            Self.family("uptime_seconds", .gauge, "Time since the start of the service.", uptime.seconds),
        ]
        families += ofEngines
        families.append(
            Self.family(
                "speeches", .gauge, "Speech requests that are running or waiting.", "state",
                [("running", speeches.running), ("waiting", speeches.waiting)]))
        families.append(
            Self.family(
                "utterances_total", .counter, "Synthesized utterances, by outcome.", "outcome",
                [
                    ("spoken", utterances.spoken), ("cancelled", utterances.cancelled), ("failed", utterances.failed),
                ]))
        families.append(
            Self.family(
                "transcriptions", .gauge,
                "Transcriptions that are running or waiting.", "state",
                [("running", transcriptions.running), ("waiting", transcriptions.waiting)]))
        families.append(
            Self.family(
                "transcriptions_total", .counter, "Finished transcriptions, by outcome.", "outcome",
                [
                    ("transcribed", transcriptions.transcribed), ("cancelled", transcriptions.cancelled),
                    ("failed", transcriptions.failed),
                ]))
        families += [
            Self.family(
                "transcribed_seconds_total", .counter, "Duration of the audio that recognizers received.",
                transcriptions.sound.seconds),
            Self.family(
                "replacements_total", .counter, "Utterances that a fallback voice continued after an engine failure.",
                Double(utterances.replaced)),
            Self.family(
                "sound_seconds_total", .counter, "Duration of the audio that engines synthesized.", sound.seconds),
            Self.family("work_seconds_total", .counter, "Time spent waiting for engines.", work.seconds),
        ]
        if let realTimeFactor {
            families.append(
                Self.family(
                    "real_time_factor", .gauge, "Time to synthesize one second of audio.",
                    realTimeFactor))
        }
        var first = MetricFamily("first_sound_seconds", .summary, "Time from a request to its first audio.")
        first.add(firstSound)
        var silence = MetricFamily("cancel_seconds", .summary, "Time from a cancellation to the end of the speech.")
        silence.add(cancel)
        return families + [first, silence]
    }

    private var ofEngines: [MetricFamily] {
        var memory = MetricFamily("engine_memory_bytes", .gauge, "Memory used by an engine's processes.")
        var processes = MetricFamily("engine_processes", .gauge, "Number of processes of an engine.")
        // Two engine files may declare the same ID.
        for engine in Dictionary(grouping: engines, by: \.id).sorted(by: { $0.key < $1.key }) {
            let labels = [(name: "engine", value: engine.key)]
            memory.add(Double(engine.value.reduce(0) { $0 + $1.memory }), labels)
            processes.add(Double(engine.value.reduce(0) { $0 + $1.processes.count }), labels)
        }
        var lanes = MetricFamily("model_lanes", .gauge, "Number of open lanes of a model.")
        for (name, group) in Dictionary(grouping: models, by: { [$0.engine, $0.id] }).sorted(by: {
            ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1])
        }) {
            lanes.add(Double(group.reduce(0) { $0 + $1.lanes }), [("engine", name[0]), ("model", name[1])])
        }
        let count = Self.family(
            "models", .gauge, "Models that are loaded or loading.", Double(models.count))
        return [memory, processes, count, lanes]
    }

    private static func family(
        _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double
    ) -> MetricFamily {
        var family = MetricFamily(name, kind, help)
        family.add(value)
        return family
    }

    private static func family(
        _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ label: String, _ values: [(String, Int)]
    ) -> MetricFamily {
        var family = MetricFamily(name, kind, help)
        for (value, count) in values { family.add(Double(count), [(label, value)]) }
        return family
    }
}

/// A metric with its samples, in the Prometheus text format, version 0.0.4.
struct MetricFamily {
    enum Kind: String {
        /// A value that only increases while the service runs.
        case counter
        case gauge, summary
    }
    private struct Sample {
        let name: String
        let labels: [(name: String, value: String)]
        let value: Double
    }

    private let name: String
    private let kind: Kind
    private let help: String
    private var samples: [Sample] = []

    /// - Parameter name: the name with its unit, without the program's prefix.
    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = "synthhost_\(name)"
        self.kind = kind
        self.help = help
    }

    mutating func add(_ value: Double, _ labels: [(name: String, value: String)] = []) {
        samples.append(Sample(name: name, labels: labels, value: value))
    }

    mutating func add(_ quantiles: Quantiles) {
        for share in [0.5, 0.9, 0.99] {
            guard let duration = quantiles.quantile(share) else { continue }
            add(duration.seconds, [("quantile", Self.text(of: share))])
        }
        samples.append(Sample(name: "\(name)_sum", labels: [], value: quantiles.sum.seconds))
        samples.append(Sample(name: "\(name)_count", labels: [], value: Double(quantiles.total)))
    }

    /// The metric as text, or an empty string if there are no samples.
    var text: String {
        if samples.isEmpty { return "" }
        return "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind)\n" + samples.map(Self.line).joined()
    }

    private static func line(_ sample: Sample) -> String {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        return "\(sample.name)\(labels.isEmpty ? "" : "{\(labels)}") \(text(of: sample.value))\n"
    }

    private static func text(of number: Double) -> String { JSONWriter.text(of: number) }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
