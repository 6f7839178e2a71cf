import HTTPServer
import LocatedJSON
import SpeechService
import SynthHost
import System

/// How many listen: each keeps a place for as long as it likes. Those with the token are counted by themselves. Any thread may
/// use it.
final class VoiceEventStreams: Sendable {
    private struct State {
        var trusted = 0
        var others = 0
    }
    private let limit: Int
    private let state = Monitor(State())

    /// - Parameter limit: for each of both kinds.
    init(limit: Int) { self.limit = limit }

    /// False if there are as many as there may be.
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

/// `/api/events`: all voices, and then what changes of them. A client that reads slowly gets the newest state of each voice.
struct VoiceEvents: Sendable {
    let library: ServiceLibrary
    let words: WebWords
    let streams: VoiceEventStreams
    /// A comment is sent after this time without an event.
    let quiet: Duration

    /// What changes within this time is sent at once: at most five events a second for a voice.
    private static let together = Duration.milliseconds(200)

    func send(_ request: WebRequest, _ answer: WebAnswer) throws(WebFailure) {
        guard streams.begin(isTrusted: request.isTrusted) else { throw .problem(.busy) }
        defer { streams.end(isTrusted: request.isTrusted) }
        _ = try rethrowing(library.entries(), as: WebFailure.library)
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
                try answer.write(Array("event: voices\ndata: ".utf8))
                try VoiceListText(voices: voices, chosen: chosen, words: words).write {
                    piece throws(WebFailure) in try answer.write(piece)
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
}
