package import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
package import SynthListening
package import SynthSystem

/// A client's transcription of a recording. Not thread-safe, except for `cancel`, which any thread may call.
package final class RecordingTranscription: Sendable {
    private let choice: RecognizerChoice
    private let request: RecognitionJob
    private let turn: TranscriptionTurn
    /// The voice activity detector, or nil if there is none.
    private let gate: SpeechGate?
    private let limits: ServiceLimits
    private let media: MediaProgram
    private let splitsChannels: Bool
    private let onEnd: @Sendable () -> Void

    deinit { onEnd() }

    /// - Parameter onEnd: called once, when this object is released.
    init(
        _ choice: RecognizerChoice, _ request: RecognitionJob, _ turn: TranscriptionTurn, _ gate: SpeechGate?,
        _ limits: ServiceLimits, _ media: MediaProgram, splitsChannels: Bool, onEnd: @escaping @Sendable () -> Void
    ) {
        self.splitsChannels = splitsChannels
        self.onEnd = onEnd
        self.choice = choice
        self.request = request
        self.limits = limits
        self.media = media
        self.turn = turn
        self.gate = gate
    }

    /// The sample rate of the transcribed audio in hertz.
    package var rate: UInt32 { choice.rate }

    /// Transcribes the recording in chunks and calls `take` with the texts in the order of the audio. Runs on the
    /// calling thread and blocks.
    ///
    /// - Parameters:
    ///   - inParts: whether to call `take` as soon as each text is recognized.
    ///   - take: receives the text. The transcription ends if this closure throws.
    /// - Returns: the duration of the audio in seconds or, if the transcription was cancelled, the duration of the
    ///   audio processed so far.
    package func read<Problem>(
        _ clip: ClipFile, inParts: Bool = false, _ take: (TranscribedPiece) throws(Problem) -> Void
    ) throws(SpeechError) -> Result<Double, Problem> {
        var seconds = 0.0
        var isTranscribed = false
        defer { turn.end(transcribed: isTranscribed, .seconds(seconds)) }
        defer { turn.stops(by: nil) }
        var bytes = 0
        var problem: Problem?
        let (turn, rate, limits, media, splitsChannels) = (turn, choice.rate, limits, media, splitsChannels)
        let transcriber = Transcriber(
            rate: rate, longest: choice.longestPiece, lanes: choice.lanes, gate: gate,
            release: { turn.release($0) },
            giveUp: { turn.wantNoLane() }
        ) { () throws(SpeechError) in
            try rethrowing(turn.lane(), as: SpeechError.ofRecognizer)
        }
        do throws(SpeechError) {
            try transcriber.run(
                request, inParts: inParts, unless: { turn.isCancelled }, stopping: { turn.stops(by: $0) },
                { () throws(SpeechError) in
                    try rethrowing(
                        FileAudio(
                            clip, rate: rate, splitsChannels: splitsChannels, longest: limits.recordingTime, by: media),
                        as: AudioError.recordingError)
                }
            ) { piece in
                seconds = max(seconds, Double(piece.frames.upperBound) / Double(rate))
                bytes += (piece.texts + piece.leftOut).reduce(0) { $0 + $1.text.utf8.count }
                guard bytes <= limits.transcriptBytes else { return false }
                do throws(Problem) { try take(piece) } catch { problem = error }
                return problem == nil
            }
        } catch {
            if case .tooLong(let limit) = (error.cause as? AudioError)?.clip?.reason {
                throw .recordingTooLong(limit: limit)
            }
            throw error.code == .threadsExhausted ? SpeechError.transcriptionOverloaded : error
        }
        if let problem { return .failure(problem) }
        guard bytes <= limits.transcriptBytes else { throw SpeechError(recognizer: .endless(choice)) }
        isTranscribed = true
        return .success(seconds)
    }

    /// Cancels the transcription. Does not block.
    package func cancel() { turn.cancel() }
}

extension EngineFailure {
    /// Returns the error for a recognizer that produced more text than the audio can possibly contain.
    static func endless(_ choice: RecognizerChoice) -> EngineFailure {
        EngineFailure(engine: choice.recognizerID, reason: .violatedProtocol(.listening))
    }
}
