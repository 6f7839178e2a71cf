import LocatedJSON

/// `/api/events`: all voices, and then what changes of them. A client that reads slowly gets the newest state of each voice.
struct VoiceEvents: Sendable {
    let library: ServiceLibrary
    let words: ServiceWords
    /// A comment is sent after this time without an event.
    let quiet: Duration

    /// What changes within this time is sent at once: at most five events a second for a voice.
    private static let together = Duration.milliseconds(200)

    func send(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        do throws(LibraryProblem) {
            _ = try library.entries()
        } catch {
            throw .problem(WebProblem(error))
        }
        try answer.begin(.ok, "text/event-stream", [("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
        if request.head.method != "HEAD" {
            let mailbox = library.open()
            defer { library.close(mailbox) }
            try answer.whileConnected({ mailbox.close() }) { () throws(WebFailure) in try forward(mailbox, answer) }
        }
        try answer.end()
    }

    private func forward(_ mailbox: LibraryMailbox, _ answer: WebAnswer) throws(WebFailure) {
        while true {
            switch mailbox.next(before: .now + quiet) {
            case .end: return
            case .nothing: try answer.write(ServerSentEvent.comment)
            case .list:
                let (voices, chosen) = library.known
                try answer.write(Self.event("voices", VoiceRoutes.json(voices, chosen: chosen, words)))
            case .voices(let keys):
                for entry in keys.compactMap({ library.knownEntry($0) }) {
                    try answer.write(Self.event("voice", entry.json(words)))
                }
            }
            mailbox.gather(for: Self.together)
        }
    }

    private static func event(_ type: String, _ node: JSONNode) -> [UInt8] {
        ServerSentEvent(type: type, data: JSONWriter.line(of: node))?.bytes ?? []
    }
}
