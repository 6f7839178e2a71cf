import SynthAudio
import SynthHost
import SynthHTTPServer
import SynthService
import SynthSystem

/// Speaks a request and sends the audio as the response.
struct SpokenAnswer {
    let service: SpeechService
    let words: WebMessages

    /// Streams the response. Nothing is sent until there is audio, so that the status can report any failure before
    /// that point.
    ///
    /// - Parameter headers: the headers of the response.
    func send(
        _ order: SpeechJob, with voice: SpeechVoice, by writer: some SpeechWriter,
        _ headers: [(name: String, value: String)], in answer: WebAnswer
    ) throws {
        var writer = writer
        do {
            try speak(order, voice, &writer, headers, answer)
        } catch {
            if case .problem(let problem) = WebFailure(error), answer.hasBegun {
                try? answer.write(writer.bytes(of: problem, words))
            }
            throw error
        }
    }

    /// Collects the complete response and then sends it with its length, so that the status can report any failure.
    ///
    /// - Parameters:
    ///   - whole: collects the response.
    ///   - headers: the headers of the response.
    func sendWhole(
        _ order: SpeechJob, with voice: SpeechVoice, _ whole: BufferedSpeech, _ spool: WebSpool,
        _ headers: [(name: String, value: String)], in answer: WebAnswer
    ) throws {
        var whole = whole
        var kept = 0
        defer { spool.budget.release(kept) }
        try read(order, voice, answer) { parts in
            for part in parts { try whole.take(part) }
            let more = whole.count - kept
            guard spool.budget.take(more) else { throw WebFailure.problem(.busy) }
            kept += more
        }
        try whole.end()
        try whole.send(headers, in: answer)
    }

    private func speak(
        _ order: SpeechJob, _ voice: SpeechVoice, _ writer: inout some SpeechWriter,
        _ headers: [(name: String, value: String)], _ answer: WebAnswer
    ) throws {
        var hasSound = false
        var waiting: [UInt8] = []
        try read(order, voice, answer) { parts in
            hasSound = hasSound || parts.contains(where: \.isSound)
            for part in parts { waiting += try writer.bytes(of: part) }
            guard hasSound, !waiting.isEmpty else { return }
            if !answer.hasBegun { try answer.begin(.ok, writer.contentType, headers) }
            try answer.write(waiting)
            waiting = []
        }
        waiting += try writer.end()
        guard answer.hasBegun else { return try answer.send(.ok, writer.contentType, waiting, headers) }
        try answer.write(waiting)
        try answer.end()
    }

    /// Speaks the text and passes on its parts until the client disconnects or the service cancels the work. Throws if
    /// there is no audio.
    private func read(
        _ order: SpeechJob, _ voice: SpeechVoice, _ answer: WebAnswer,
        _ take: ([Speech.Part]) throws -> Void
    ) throws {
        let speech = try service.speak(order, with: voice)
        defer { speech.notices.forEach(words.note) }
        let wasGivenUp = Monitor(false)
        let giveUp: @Sendable () -> Void = {
            wasGivenUp.update { $0 = true }
            speech.cancel()
        }
        var hasSound = false
        try answer.whileConnected(giveUp) {
            try speech.read { parts in
                hasSound = hasSound || parts.contains(where: \.isSound)
                try take(parts)
            }.get()
        }
        if wasGivenUp.read({ $0 }) { throw WebFailure.stopped }
        guard hasSound else { throw WebFailure.problem(.nothingToSay) }
    }
}
