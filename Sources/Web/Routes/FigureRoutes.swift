import HTTPServer
import LocatedJSON
import SpeechService
import System

/// What a service does, for balancers and those who watch it: `/health`, `/metrics`, `/api/status`.
struct FigureRoutes: Sendable {
    let service: SpeechService
    let requests: WebRequestCounts
    let ending: WebEnding

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/health"), .nothing, takesNoRoom: true) { [ending] _, answer throws(WebFailure) in
                let hasBegun = ending.hasBegun
                try answer.send(
                    hasBegun ? .serviceUnavailable : .ok,
                    json: JSONNode(.object([.init("status", hasBegun ? "draining" : "ok")])))
            },
            WebRoute("GET", .exact("/metrics"), .access) { [service, requests] _, answer throws(WebFailure) in
                let text = service.figures().metrics + requests.metrics
                try answer.send(
                    .ok, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8), [("Cache-Control", "no-store")])
            },
            WebRoute("GET", .exact("/api/status"), .access) { [service] _, answer throws(WebFailure) in
                try answer.send(json: JSONNode(.object(service.figures().members)))
            },
        ]
    }
}
