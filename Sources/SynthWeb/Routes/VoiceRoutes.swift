import SynthHost
import SynthHTTPServer
import SynthJSON
import SynthService
import SynthSystem

/// Lists and changes voices: `/api/voices`, `/api/downloads`, `/api/profiles`, `/api/marks`, `/api/chosen`, and
/// `/api/events`.
struct VoiceRoutes: Sendable {
    let library: ServiceLibrary
    let words: WebMessages
    /// The limits on event streams for clients with and without the token. Each stream occupies a connection
    /// indefinitely.
    let streams: (trusted: Budget, others: Budget)
    /// If no event occurs for this long, a comment is sent so that proxies keep the connection open.
    var quiet = Duration.seconds(15)
    /// Changes within this interval are combined into one event, so that a client gets at most five events per second
    /// for each voice.
    private static let together = Duration.milliseconds(200)

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/voices"), .access, list),
            WebRoute("DELETE", .exact("/api/voices"), .token) { request, answer in
                let freed = try library.remove(key(request))
                try answer.send(json: JSONNode([.init("freed", .number(Double(freed)))]))
            },
            WebRoute("POST", .exact("/api/downloads"), .token, download),
            WebRoute("DELETE", .exact("/api/downloads"), .token, cancel),
            WebRoute("PUT", .exact("/api/profiles"), .token, tune),
            WebRoute("PUT", .exact("/api/marks"), .token, mark),
            WebRoute("PUT", .exact("/api/chosen"), .token, choose),
            WebRoute("GET", .exact("/api/events"), .access, follow),
        ]
    }

    @Sendable private func list(_ request: WebRequest, _ answer: WebAnswer) throws {
        if request.query["key"] != nil {
            return try answer.send(json: library.entry(key(request)).json(words))
        }
        let (voices, chosen) = try library.entries()
        try answer.begin(.ok, "application/json", [("Cache-Control", "no-store")])
        try LibraryListJSON(voices: voices, chosen: chosen, words: words).write {
            piece in try answer.write(piece)
        }
        try answer.end()
    }

    @Sendable private func download(_ request: WebRequest, _ answer: WebAnswer) throws {
        let entry = try library.download(keyOfBody(request))
        try answer.send(entry.download == nil ? .ok : .accepted, json: entry.json(words))
    }

    @Sendable private func cancel(_ request: WebRequest, _ answer: WebAnswer) throws {
        let (entry, wasThere) = try library.cancel(key(request))
        try answer.send(wasThere ? .accepted : .ok, json: entry.json(words))
    }

    @Sendable private func tune(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let profile = VoiceProfile(
            rate: try members.number("rate", SpeechFactor.rate.range),
            pitch: try members.number("pitch", SpeechFactor.pitch.range),
            volume: try members.number("volume", SpeechFactor.volume.range),
            pause: try members.number("pause", SpeechFactor.pause.range))
        try answer.send(json: library.tune(key, to: profile).json(words))
    }

    @Sendable private func mark(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try key(request)
        let members = WebMembers(try request.object())
        let (favorite, hidden) = (try members.flag("favorite"), try members.flag("hidden"))
        try answer.send(json: library.mark(key, favorite: favorite, hidden: hidden).json(words))
    }

    @Sendable private func choose(_ request: WebRequest, _ answer: WebAnswer) throws {
        let key = try keyOfBody(request)
        try library.choose(key)
        try answer.send(json: JSONNode([.init("chosen", key)]))
    }

    /// `/api/events`: sends all voices and then their changes. A slow client gets only the latest state of each voice.
    @Sendable private func follow(_ request: WebRequest, _ answer: WebAnswer) throws {
        let streams = request.isTrusted ? streams.trusted : streams.others
        guard streams.take(1) else { throw WebFailure.problem(.busy) }
        defer { streams.release(1) }
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
                    let line = JSONWriter.line(of: entry.json(words))
                    try answer.write(ServerSentEvent.bytes(type: "voice", data: line))
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
