import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// What a service does, for balancers and those who watch it: `/health`, `/metrics`, `/api/status`.
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
                    json: JSONNode(.object([.init("status", hasBegun ? "draining" : "ok")])))
            },
            WebRoute("GET", .exact("/metrics"), .access) { [service, requests] _, answer in
                let text = service.figures().metrics + requests.metrics
                try answer.send(
                    .ok, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8), [("Cache-Control", "no-store")])
            },
            WebRoute("GET", .exact("/api/status"), .access) { [service] _, answer in
                try answer.send(json: JSONNode(.object(service.figures().members)))
            },
        ]
    }
}

/// Counts the answers of a web server, by what was asked for and how it went. Any thread may use it.
package final class WebRequestCounts: Sendable {
    /// What was asked for. Paths are not counted one by one: clients may ask for any.
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
    private struct Place: Hashable {
        let kind: Kind
        /// 2 = 200 to 299.
        let statusClass: Int
    }
    private let counts = Monitor<[Place: Int]>([:])

    package init() {}

    /// - Parameter path: nil = the request could not be read.
    func count(_ path: String?, _ status: HTTPStatus) {
        counts.update { $0[Place(kind: Kind(path), statusClass: status.code / 100), default: 0] += 1 }
    }

    /// For Prometheus.
    package var metrics: String {
        var family = MetricFamily(
            "http_requests_total", .counter,
            "Requests over HTTP that were answered, by what was asked for and the status.")
        let counts = counts.read { $0 }.sorted {
            ($0.key.kind.rawValue, $0.key.statusClass) < ($1.key.kind.rawValue, $1.key.statusClass)
        }
        for (place, count) in counts {
            family.add(Double(count), [("kind", place.kind.rawValue), ("status", "\(place.statusClass)xx")])
        }
        return family.text
    }
}
