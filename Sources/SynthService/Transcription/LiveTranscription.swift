import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthHost
import SynthListening
package import SynthSystem

/// A client's live transcription. One thread adds audio, another reads the text, and any thread may cancel the
/// transcription.
package final class LiveTranscription: Sendable {
    private let choice: RecognizerChoice
    private let request: RecognitionJob
    private let turn: TranscriptionTurn
    private let limits: ServiceLimits
    private let budget: Budget
    private let sound: IncomingFrames
    /// The voice activity detector, or nil if there is none or the caller has already detected the utterance.
    private let gate: SpeechGate?
    private let silence: Int?
    private let frames = Monitor(0)

    /// Returns nil if the system is out of resources.
    ///
    /// - Parameters:
    ///   - utterance: the frames of a single utterance, which the caller appends, or nil if audio arrives through
    ///     `add`, in which case the gate must detect speech.
    ///   - silence: the number of non-speech frames in the utterance, or nil if the utterance was detected by its
    ///     loudness.
    init?(
        _ choice: RecognizerChoice, _ request: RecognitionJob, _ turn: TranscriptionTurn, _ gate: SpeechGate?,
        _ budget: Budget, _ limits: ServiceLimits, utterance: IncomingFrames? = nil, silence: Int? = nil
    ) {
        let own = try? IncomingFrames(most: .max, onTake: { budget.release($0 * Self.bytesOfFrame) })
        guard let sound = utterance ?? own else { return nil }
        (self.gate, self.silence) = (utterance == nil ? gate : nil, silence)
        self.choice = choice
        self.request = request
        self.limits = limits
        self.budget = budget
        self.sound = sound
        self.turn = turn
    }

    private static let bytesOfFrame = MemoryLayout<Float>.size

    /// The sample rate in hertz. The audio is mono.
    package var rate: UInt32 { choice.rate }

    /// Adds audio samples, all of which must be finite numbers. Never blocks.
    ///
    /// - Throws: `recordingTooLong` or `overloaded`. The caller must then cancel the transcription.
    package func add(_ samples: ArraySlice<Float>) throws(SpeechError) {
        let count = frames.update { frames in
            frames += samples.count
            return frames
        }
        if Double(count) > limits.liveTime.seconds * Double(rate) {
            throw .recordingTooLong(limit: limits.liveTime)
        }
        let bytes = samples.count * Self.bytesOfFrame
        guard budget.take(bytes) else { throw .transcriptionOverloaded }
        if !sound.add(samples) { budget.release(bytes) }
    }

    /// Marks the end of the audio.
    package func finish() { sound.end() }

    /// Calls `take` with the text as it is recognized. Runs on the calling thread and blocks until all audio has been
    /// transcribed.
    ///
    /// - Returns: false if the transcription was cancelled.
    package func read(_ take: (RecognizedText) -> Void) throws(SpeechError) -> Bool {
        var isTranscribed = false
        defer {
            sound.abandon()
            turn.end(transcribed: isTranscribed, .seconds(Double(max(frames.read { $0 }, sound.heard)) / Double(rate)))
        }
        var bytes = 0
        do {
            guard let lane = try turn.lane() else { return false }
            defer {
                turn.stops(by: nil)
                turn.release(lane)
            }
            turn.stops { lane.cancel() }
            let gated = GatedSound(sound, rate: Int(rate), gate, silence: silence)
            defer { gated.end() }
            isTranscribed = try lane.listen(request, to: gated, unless: { turn.isCancelled }) { part in
                guard case .text(let told) = part, let text = gated.bounded(told) else { return true }
                if text.isFinal { bytes += text.text.utf8.count }
                take(text)
                return bytes <= limits.transcriptBytes
            }
        } catch {
            throw SpeechError(recognizer: error)
        }
        if bytes > limits.transcriptBytes { throw SpeechError(recognizer: .endless(choice)) }
        return isTranscribed
    }

    /// Cancels the transcription. Does not block.
    package func cancel() {
        sound.abandon()
        turn.cancel()
    }
}

/// Tracks how much of a transcript has been sent and extracts the new final text from each update.
package struct TranscriptDeltas: Sendable {
    /// The final text.
    package private(set) var whole = ""
    package private(set) var language: String?
    /// The text that has been sent. It can include the beginning of text that is not final yet.
    package private(set) var stable = ""
    /// The tentative text that follows `stable`.
    package private(set) var tentative = ""

    package init() {}

    /// Applies an update.
    ///
    /// - Returns: the new text to send, which may be empty.
    package mutating func take(_ text: RecognizedText) -> String {
        let bytes = text.text.utf8
        let end = text.isFinal ? bytes.count : min(text.stable, bytes.count)
        let space = TranscriptSentences.space(between: whole, text.text)
        let told = stable.utf8.count - whole.utf8.count
        let from = min(bytes.count, max(0, told - space.utf8.count))
        let more =
            from < end
            ? (told > 0 ? "" : space) + String(decoding: bytes.dropFirst(from).prefix(end - from), as: UTF8.self) : ""
        stable += more
        let rest = String(decoding: bytes.dropFirst(max(from, end)), as: UTF8.self)
        tentative = rest.isEmpty || text.isFinal ? "" : (stable.utf8.count > whole.utf8.count ? "" : space) + rest
        if text.isFinal {
            whole += space + text.text
            language = language ?? text.language
        }
        return more
    }
}
