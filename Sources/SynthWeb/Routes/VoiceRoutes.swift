import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Lists and changes voices: `/api/voices`, `/api/downloads`, `/api/profiles`, `/api/marks`, `/api/chosen`, and `/api/events`.
struct VoiceRoutes: Sendable {
    let library: ServiceLibrary
    let words: WebMessages
    let streams: EventStreamLimit
    /// A comment is sent if no event occurs for this long, so that proxies keep the connection open.
    var quiet = Duration.seconds(15)
    /// Changes within this time are combined into one event, so that a client gets at most five events per second for
    /// each voice.
    private static let together = Duration.milliseconds(200)

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/voices"), .access) { request, answer in
                try list(request, answer)
            },
            WebRoute("DELETE", .exact("/api/voices"), .token) { request, answer in
                let key = try key(request)
                let freed = try library.remove(key)
                try answer.send(json: JSONNode(.object([.init("freed", .number(Double(freed)))])))
            },
            WebRoute("POST", .exact("/api/downloads"), .token) { request, answer in
                try download(request, answer)
            },
            WebRoute("DELETE", .exact("/api/downloads"), .token) { request, answer in
                try cancel(request, answer)
            },
            WebRoute("PUT", .exact("/api/profiles"), .token) { request, answer in
                try tune(request, answer)
            },
            WebRoute("PUT", .exact("/api/marks"), .token) { request, answer in
                try mark(request, answer)
            },
            WebRoute("PUT", .exact("/api/chosen"), .token) { request, answer in
                try choose(request, answer)
            },
            WebRoute("GET", .exact("/api/events"), .access) { request, answer in
                try follow(request, answer)
            },
        ]
    }

    private func list(_ request: WebRequest, _ answer: WebAnswer) throws {
        if request.query["key"] != nil {
            let key = try key(request)
            let entry = try library.entry(key)
            return try answer.send(json: entry.json(words))
        }
        let (voices, chosen) = try library.entries()
        try answer.begin(.ok, "application/json", [("Cache-Control", "no-store")])
        try LibraryListJSON(voices: voices, chosen: chosen, words: words).write {
            piece in try answer.write(piece)
        }
        try answer.end()
    }

    private func download(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try keyOfBody(request)
        let entry = try library.download(key)
        try answer.send(entry.download == nil ? .ok : .accepted, json: entry.json(words))
    }

    private func cancel(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try key(request)
        let (entry, wasThere) = try library.cancel(key)
        try answer.send(wasThere ? .accepted : .ok, json: entry.json(words))
    }

    private func tune(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let profile = VoiceProfile(
            rate: try members.number("rate", SpeechFactor.rate.range),
            pitch: try members.number("pitch", SpeechFactor.pitch.range),
            volume: try members.number("volume", SpeechFactor.volume.range),
            pause: try members.number("pause", SpeechFactor.pause.range))
        let entry = try library.tune(key, to: profile)
        try answer.send(json: entry.json(words))
    }

    private func mark(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let (favourite, hidden) = (try members.flag("favourite"), try members.flag("hidden"))
        let entry = try library.mark(key, favourite: favourite, hidden: hidden)
        try answer.send(json: entry.json(words))
    }

    private func choose(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try keyOfBody(request)
        try library.choose(key)
        try answer.send(json: JSONNode(.object([.init("chosen", key)])))
    }

    /// `/api/events`: sends all voices, and then their changes. A slow client gets only the latest state of each voice.
    private func follow(_ request: WebRequest, _ answer: WebAnswer) throws {
        guard streams.begin(isTrusted: request.isTrusted) else { throw WebFailure.problem(.busy) }
        defer { streams.end(isTrusted: request.isTrusted) }
        _ = try library.entries()
        try answer.begin(.ok, "text/event-stream", [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
        if request.head.method != "HEAD" {
            let mailbox = library.open()
            defer { library.close(mailbox) }
            try answer.whileConnected({ mailbox.close() }) { try forward(mailbox, answer) }
        }
        try answer.end()
    }

    private func forward(_ mailbox: LibraryMailbox, _ answer: WebAnswer) throws {
        while true {
            switch mailbox.next(before: .now + quiet) {
            case .end: return
            case .nothing: try answer.write(ServerSentEvent.comment)
            case .list:
                let (voices, chosen) = library.known
                try answer.write(Array("event: voices\ndata: ".utf8))
                try LibraryListJSON(voices: voices, chosen: chosen, words: words).write {
                    piece in try answer.write(piece)
                }
                try answer.write(Array("\n\n".utf8))
            case .voices(let keys):
                for entry in keys.compactMap({ library.knownEntry($0) }) {
                    let event = ServerSentEvent(type: "voice", data: JSONWriter.line(of: entry.json(words)))
                    try answer.write(event?.bytes ?? [])
                }
            }
            mailbox.gather(for: Self.together)
        }
    }

    private func key(_ request: WebRequest) throws -> String {
        guard let key = request.query["key"], !key.isEmpty else { throw WebFailure.problem(.missing("key")) }
        return key
    }

    private func keyOfBody(_ request: WebRequest) throws -> String {
        guard let key = try WebMembers(request.object()).name("key") else { throw WebFailure.problem(.missing("key")) }
        return key
    }
}

/// Limits the number of event streams, because each event stream occupies a connection indefinitely. Clients with and without the token are
/// counted separately. Thread-safe.
final class EventStreamLimit: Sendable {
    private struct State {
        var trusted = 0
        var others = 0
    }
    private let limit: Int
    private let state = Monitor(State())

    /// - Parameter limit: the limit, which applies separately to clients with and without the token.
    init(limit: Int) { self.limit = limit }

    /// Returns false if the limit is reached.
    func begin(isTrusted: Bool) -> Bool {
        state.update { state in
            guard (isTrusted ? state.trusted : state.others) < limit else { return false }
            if isTrusted { state.trusted += 1 } else { state.others += 1 }
            return true
        }
    }

    func end(isTrusted: Bool) {
        state.update { state in
            if isTrusted { state.trusted -= 1 } else { state.others -= 1 }
        }
    }
}
