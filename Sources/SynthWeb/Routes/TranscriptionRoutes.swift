import SynthAudio
import SynthHTTPServer
import SynthListening
import SynthService
import SynthSystem

/// The transcription endpoints of OpenAI's API.
struct TranscriptionRoutes: Sendable {
    let transcription: TranscriptionService
    let words: WebMessages
    /// Limits the total size of uploaded recordings.
    let budget: Budget

    /// The maximum size in bytes of a form's fields and overhead, excluding the recording.
    private static let roomForFields = 1 << 20

    var routes: [WebRoute] {
        [("/v1/audio/transcriptions", false), ("/v1/audio/translations", true)].map { path, isTranslated in
            WebRoute(
                "POST", .exact(path), .access, longestBody: transcription.limits.recordingBytes + Self.roomForFields,
                form: { head in
                    try UploadedForm(head, TranscriptionCall.fields, transcription.limits, budget)
                }
            ) { request, answer in
                guard let form = request.form else { throw WebFailure.problem(.form(.formType)) }
                defer { form.dropFile() }
                try transcribe(TranscriptionCall(form, isTranslated: isTranslated), in: form, answer)
            }
        }
    }

    private func transcribe(
        _ call: TranscriptionCall, in form: UploadedForm, _ answer: WebAnswer
    ) throws {
        let choice = try transcription.choice(for: call.order)
        let recording = try transcription.recording(call.order, by: choice)
        var text = TranscriptAnswer(call, rate: recording.rate)
        do {
            let seconds = try read(recording, call, answer) { piece in
                let told = text.take(piece)
                // Send nothing until there is text, so that the status can report any failure before that point.
                guard call.isStreamed, !told.isEmpty else { return }
                try begin(answer)
                try answer.write(told)
            }
            // Delete the file before the response ends, because the client's next recording may need the space.
            form.dropFile()
            let last = text.finish()
            guard call.isStreamed else {
                return try answer.send(
                    .ok, text.contentType, text.bytes(seconds), [(name: "Cache-Control", value: "no-store")])
            }
            try begin(answer)
            try answer.write(last + text.streamEnd(seconds))
            try answer.end()
        } catch {
            if case .problem(let problem) = WebFailure(error), answer.hasBegun {
                try? answer.write(text.streamEnd(problem, words))
            }
            throw error
        }
    }

    private func begin(_ answer: WebAnswer) throws {
        guard !answer.hasBegun else { return }
        try answer.begin(
            .ok, "text/event-stream",
            [(name: "X-Accel-Buffering", value: "no"), (name: "Cache-Control", value: "no-store")])
    }

    /// Transcribes the recording unless the client disconnects or the service cancels the work.
    ///
    /// - Returns: the duration of the recording in seconds.
    private func read(
        _ recording: RecordingTranscription, _ call: TranscriptionCall, _ answer: WebAnswer,
        _ take: (TranscribedPiece) throws -> Void
    ) throws -> Double {
        let wasGivenUp = Monitor(false)
        let giveUp: @Sendable () -> Void = {
            wasGivenUp.update { $0 = true }
            recording.cancel()
        }
        let seconds = try answer.whileConnected(giveUp) {
            try recording.read(call.clip, inParts: call.isStreamed, take).get()
        }
        if wasGivenUp.read({ $0 }) { throw WebFailure.stopped }
        return seconds
    }
}
