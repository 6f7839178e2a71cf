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
        var family = MetricFamily("http_requests_total", .counter, "HTTP responses, by endpoint and status.")
        let counts = counts.read { $0 }.sorted {
            ($0.key.kind.rawValue, $0.key.statusClass) < ($1.key.kind.rawValue, $1.key.statusClass)
        }
        for (place, count) in counts {
            family.add(Double(count), ["kind": place.kind.rawValue, "status": "\(place.statusClass)xx"])
        }
        return family.text
    }
}

extension ServiceFigures {
    /// The statistics as Prometheus metrics. Times are in seconds and memory is in bytes.
    var metrics: String {
        let families: [[MetricFamily]] = [
            [
                MetricFamily(
                    "start_time_seconds", .gauge, "Start time of the service, in seconds since 1970.", Double(start)),
                MetricFamily("uptime_seconds", .gauge, "Time since the start of the service.", uptime.seconds),
            ],
            ofEngines,
            [
                MetricFamily(
                    "speeches", .gauge, "Speech requests that are running or waiting.", "state",
                    ["running": speeches.running, "waiting": speeches.waiting]),
                MetricFamily(
                    "utterances_total", .counter, "Synthesized utterances, by outcome.", "outcome",
                    [
                        "spoken": utterances.spoken, "cancelled": utterances.cancelled, "failed": utterances.failed,
                    ]),
                MetricFamily(
                    "transcriptions", .gauge, "Transcriptions that are running or waiting.", "state",
                    ["running": transcriptions.running, "waiting": transcriptions.waiting]),
                MetricFamily(
                    "transcriptions_total", .counter, "Finished transcriptions, by outcome.", "outcome",
                    [
                        "transcribed": transcriptions.transcribed, "cancelled": transcriptions.cancelled,
                        "failed": transcriptions.failed,
                    ]),
                MetricFamily(
                    "transcribed_seconds_total", .counter, "Duration of the audio that recognizers received.",
                    transcriptions.sound.seconds),
                MetricFamily(
                    "replacements_total", .counter,
                    "Utterances that a fallback voice continued after an engine failure.", Double(utterances.replaced)),
                MetricFamily(
                    "sound_seconds_total", .counter, "Duration of the audio that engines synthesized.", sound.seconds),
                MetricFamily("work_seconds_total", .counter, "Time spent waiting for engines.", work.seconds),
                MetricFamily(
                    "real_time_factor", .gauge, "Time to synthesize one second of audio.", realTimeFactor),
                MetricFamily("first_sound_seconds", "Time from a request to its first audio.", firstSound),
                MetricFamily("cancel_seconds", "Time from a cancellation to the end of the speech.", cancel),
            ],
        ]
        return families.joined().map(\.text).joined()
    }

    private var ofEngines: [MetricFamily] {
        var memory = MetricFamily("engine_memory_bytes", .gauge, "Memory used by an engine's processes.")
        var processes = MetricFamily("engine_processes", .gauge, "Number of processes of an engine.")
        // Two engine files may declare the same ID.
        for engine in Dictionary(grouping: engines, by: \.id).sorted(by: { $0.key < $1.key }) {
            memory.add(Double(engine.value.reduce(0) { $0 + $1.memory }), ["engine": engine.key])
            processes.add(Double(engine.value.reduce(0) { $0 + $1.processes.count }), ["engine": engine.key])
        }
        var lanes = MetricFamily("model_lanes", .gauge, "Number of open lanes of a model.")
        for (name, group) in Dictionary(grouping: models, by: { [$0.engine, $0.id] }).sorted(by: {
            ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1])
        }) {
            lanes.add(Double(group.reduce(0) { $0 + $1.lanes }), ["engine": name[0], "model": name[1]])
        }
        return [
            memory, processes,
            MetricFamily("models", .gauge, "Models that are loaded or loading.", Double(models.count)), lanes,
        ]
    }
}

/// A metric with its samples, in the Prometheus text format, version 0.0.4.
struct MetricFamily {
    enum Kind: String {
        /// A value that only increases while the service runs.
        case counter
        case gauge, summary
    }

    private let name: String
    private let kind: Kind
    private let help: String
    /// The lines of the samples.
    private var samples = ""

    /// - Parameters:
    ///   - name: the name, including the unit but not the program's prefix.
    ///   - value: the value of the only sample, or nil if it is unknown.
    init(_ name: String, _ kind: Kind, _ help: String, _ value: Double? = nil) {
        self.name = "synthhost_\(name)"
        self.kind = kind
        self.help = help
        if let value { add(value) }
    }

    /// - Parameter counts: the samples, keyed by the value of the label.
    init(_ name: String, _ kind: Kind, _ help: String, _ label: String, _ counts: KeyValuePairs<String, Int>) {
        self.init(name, kind, help)
        for (value, count) in counts { add(Double(count), [label: value]) }
    }

    init(_ name: String, _ help: String, _ quantiles: Quantiles) {
        self.init(name, .summary, help)
        for share in [0.5, 0.9, 0.99] {
            guard let duration = quantiles.quantile(share) else { continue }
            add(duration.seconds, ["quantile": JSONWriter.text(of: share)])
        }
        add(quantiles.sum.seconds, suffix: "_sum")
        add(Double(quantiles.total), suffix: "_count")
    }

    mutating func add(_ value: Double, _ labels: KeyValuePairs<String, String> = [:], suffix: String = "") {
        let list = labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        samples += "\(name)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(JSONWriter.text(of: value))\n"
    }

    /// The metric as text, or an empty string if there are no samples.
    var text: String {
        samples.isEmpty ? "" : "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind)\n" + samples
    }

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
