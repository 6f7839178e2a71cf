import HTTPServer
import LocatedJSON
import SpeechService
import System

/// How the page shows that it has the token, once: `/api/session`.
struct SessionRoutes: Sendable {
    let access: WebAccess

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/session"), .nothing) { [access] request, answer throws(WebFailure) in
                try access.countGuess(in: request.head)
                try answer.send(
                    json: JSONNode(.object([.init("trusted", request.isTrusted), .init("open", access.isOpen)])))
            },
            WebRoute("POST", .exact("/api/session"), .token) { [access] _, answer throws(WebFailure) in
                try answer.sendNothing(.noContent, [("Set-Cookie", access.cookieToSet), Self.uncached])
            },
            WebRoute("DELETE", .exact("/api/session"), .nothing) { _, answer throws(WebFailure) in
                try answer.sendNothing(.noContent, [("Set-Cookie", WebAccess.cookieToRemove), Self.uncached])
            },
        ]
    }

    private static let uncached = (name: "Cache-Control", value: "no-store")
}
