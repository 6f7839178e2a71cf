import HTTPServer
import LocatedJSON
import SpeechService
import SynthHost
import System

/// What is asked and changed about voices: `/api/voices`, `/api/downloads`, `/api/profiles`, `/api/marks`,
/// `/api/chosen`, and `/api/events`.
struct VoiceRoutes: Sendable {
    let library: ServiceLibrary
    let words: WebWords
    let streams: VoiceEventStreams
    /// A comment is sent after this time without an event, so that nothing in between takes the connection for dead.
    var quiet = Duration.seconds(15)

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/voices"), .access) { request, answer throws(WebFailure) in
                try list(request, answer)
            },
            WebRoute("DELETE", .exact("/api/voices"), .token) { request, answer throws(WebFailure) in
                let key = try key(request)
                let freed = try rethrowing(library.remove(key), as: WebFailure.library)
                try answer.send(json: JSONNode(.object([.init("freed", .number(Double(freed)))])))
            },
            WebRoute("POST", .exact("/api/downloads"), .token) { request, answer throws(WebFailure) in
                try download(request, answer)
            },
            WebRoute("DELETE", .exact("/api/downloads"), .token) { request, answer throws(WebFailure) in
                try cancel(request, answer)
            },
            WebRoute("PUT", .exact("/api/profiles"), .token) { request, answer throws(WebFailure) in
                try tune(request, answer)
            },
            WebRoute("PUT", .exact("/api/marks"), .token) { request, answer throws(WebFailure) in
                try mark(request, answer)
            },
            WebRoute("PUT", .exact("/api/chosen"), .token) { request, answer throws(WebFailure) in
                try choose(request, answer)
            },
            WebRoute("GET", .exact("/api/events"), .access) { request, answer throws(WebFailure) in
                try VoiceEvents(library: library, words: words, streams: streams, quiet: quiet).send(
                    request, answer)
            },
        ]
    }

    private func list(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        if request.query["key"] != nil {
            let key = try key(request)
            let entry = try rethrowing(library.entry(key), as: WebFailure.library)
            return try answer.send(json: entry.json(words))
        }
        let (voices, chosen) = try rethrowing(library.entries(), as: WebFailure.library)
        try answer.begin(.ok, "application/json", [("Cache-Control", "no-store")])
        try VoiceListText(voices: voices, chosen: chosen, words: words).write {
            piece throws(WebFailure) in try answer.write(piece)
        }
        try answer.end()
    }

    private func download(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        let key = try keyOfBody(request)
        let entry = try rethrowing(library.download(key), as: WebFailure.library)
        try answer.send(entry.download == nil ? .ok : .accepted, json: entry.json(words))
    }

    private func cancel(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        let key = try key(request)
        let (entry, wasThere) = try rethrowing(library.cancel(key), as: WebFailure.library)
        try answer.send(wasThere ? .accepted : .ok, json: entry.json(words))
    }

    private func tune(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let profile = VoiceProfile(
            rate: try members.number("rate", SpeechFactor.rate.range),
            pitch: try members.number("pitch", SpeechFactor.pitch.range),
            volume: try members.number("volume", SpeechFactor.volume.range),
            pause: try members.number("pause", SpeechFactor.pause.range))
        let entry = try rethrowing(library.tune(key, to: profile), as: WebFailure.library)
        try answer.send(json: entry.json(words))
    }

    private func mark(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let (favourite, hidden) = (try members.flag("favourite"), try members.flag("hidden"))
        let entry = try rethrowing(
            library.mark(key, favourite: favourite, hidden: hidden), as: WebFailure.library)
        try answer.send(json: entry.json(words))
    }

    private func choose(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        let key = try keyOfBody(request)
        try rethrowing(library.choose(key), as: WebFailure.library)
        try answer.send(json: JSONNode(.object([.init("chosen", key)])))
    }

    private func key(_ request: WebRequest) throws(WebFailure) -> String {
        guard let key = request.query["key"], !key.isEmpty else { throw .problem(.missing("key")) }
        return key
    }

    private func keyOfBody(_ request: WebRequest) throws(WebFailure) -> String {
        guard let key = try WebMembers(request.object()).name("key") else { throw .problem(.missing("key")) }
        return key
    }
}
