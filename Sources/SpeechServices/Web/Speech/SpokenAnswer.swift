import SynthAudio
import SynthHost
import System

/// Speaks into an answer.
struct SpokenAnswer {
    let service: SpeechService
    let words: ServiceWords

    /// Sends the whole answer. Nothing is sent before the first sound, so that what fails before has a status of its own.
    ///
    /// - Parameter headers: of the answer.
    func send(
        _ order: SpeechOrder, with voice: SpeechVoice, by writer: some SpeechWriter,
        _ headers: [(name: String, value: String)], in answer: WebAnswer
    ) throws(WebFailure) {
        var writer = writer
        do throws(WebFailure) {
            try speak(order, voice, &writer, headers, answer)
        } catch {
            if case .problem(let problem) = error, answer.hasBegun {
                try? answer.write(writer.bytes(of: problem, words))
            }
            throw error
        }
    }

    private func speak(
        _ order: SpeechOrder, _ voice: SpeechVoice, _ writer: inout some SpeechWriter,
        _ headers: [(name: String, value: String)], _ answer: WebAnswer
    ) throws(WebFailure) {
        let speech: ServiceSpeech
        do throws(SpeechFailure) {
            speech = try service.speak(order, with: voice)
        } catch {
            throw .problem(.speech(error))
        }
        defer { speech.notices.forEach(words.note) }
        let wasGivenUp = Monitor(false)
        let giveUp: @Sendable () -> Void = {
            wasGivenUp.update { $0 = true }
            speech.cancel()
        }
        var isHeard = false
        var waiting: [UInt8] = []
        try answer.whileConnected(giveUp) { () throws(WebFailure) in
            try read(speech) { parts throws(WebFailure) in
                for part in parts {
                    if case .audio = part { isHeard = true }
                    waiting += try attempt { () throws(AudioError) in try writer.bytes(of: part) }
                }
                guard isHeard, !waiting.isEmpty else { return }
                if !answer.hasBegun { try answer.begin(.ok, writer.contentType, headers) }
                try answer.write(waiting)
                waiting = []
            }
        }
        if wasGivenUp.read({ $0 }) { throw .stopped }
        waiting += try attempt { () throws(AudioError) in try writer.end() }
        guard answer.hasBegun else { return try answer.send(.ok, writer.contentType, waiting, headers) }
        try answer.write(waiting)
        try answer.end()
    }

    private func read(
        _ speech: ServiceSpeech, _ take: ([Speech.Part]) throws(WebFailure) -> Void
    ) throws(WebFailure) {
        let result: Result<Void, WebFailure>
        do throws(SpeechFailure) {
            result = try speech.read(take)
        } catch {
            throw .problem(.speech(error))
        }
        try result.get()
    }

    private func attempt<Value>(_ body: () throws(AudioError) -> Value) throws(WebFailure) -> Value {
        do throws(AudioError) {
            return try body()
        } catch {
            throw .problem(.speech(.audio(error)))
        }
    }
}
