import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthHost
import SynthListening
package import SynthSystem

/// A live transcription for a client. One thread adds audio and another one reads the text. It may be cancelled from any
/// thread.
package final class LiveTranscription: Sendable {
    private let choice: RecognizerChoice
    private let request: RecognitionJob
    private let turn: TranscriptionTurn
    private let limits: ServiceLimits
    private let budget: ByteBudget
    private let sound: IncomingFrames
    /// Detects speech. nil without a detector, or if the utterance is already known.
    private let gate: SpeechGate?
    private let silence: Int?
    private let frames = Monitor(0)

    /// Returns nil if the system is out of resources.
    ///
    /// - Parameters:
    ///   - utterance: the frames of one utterance, which the caller appends. nil if audio arrives through `add` and the
    ///     gate detects speech.
    ///   - silence: the number of non-speech frames in the utterance, or nil if the utterance was detected by its
    ///     loudness.
    init?(
        _ choice: RecognizerChoice, _ request: RecognitionJob, _ turn: TranscriptionTurn, _ gate: SpeechGate?,
        _ budget: ByteBudget, _ limits: ServiceLimits, utterance: IncomingFrames? = nil, silence: Int? = nil
    ) {
        let own = try? IncomingFrames(most: .max, onTake: { budget.giveBack($0 * Self.bytesOfFrame) })
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

    /// Adds audio with finite samples. Never blocks.
    ///
    /// - Throws: `tooLong` or `overloaded`. The transcription must then be cancelled.
    package func add(_ samples: ArraySlice<Float>) throws(SpeechError) {
        let count = frames.update { frames in
            frames += samples.count
            return frames
        }
        if Double(count) > limits.liveTime.seconds * Double(rate) {
            throw .recordingTooLong(limit: limits.liveTime)
        }
        let bytes = samples.count * Self.bytesOfFrame
        guard budget.take(bytes) else { throw .hearingOverloaded }
        if !sound.add(samples) { budget.giveBack(bytes) }
    }

    /// Ends the audio.
    package func finish() { sound.end() }

    /// Passes the text to `take` as it is recognized. Runs on this thread and blocks until the audio has ended and is
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
                turn.giveBack(lane)
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

/// The parts of a transcript that were already sent. It extracts the new final text from each update.
package struct SentText: Sendable {
    /// The final text so far.
    package private(set) var whole = ""
    package private(set) var language: String?
    /// The text sent so far, and the tentative text that follows it.
    package private(set) var stable = ""
    package private(set) var tentative = ""
    /// The number of bytes of the current utterance's text that were sent.
    private var told = 0

    package init() {}

    /// - Returns: the new text to send, which may be empty.
    package mutating func take(_ text: RecognizedText) -> String {
        let bytes = text.text.utf8
        let end = text.isFinal ? bytes.count : text.stable
        let from = min(told, end)
        let space = told == 0 ? TranscriptSentences.space(between: whole, text.text) : ""
        let more = (end > 0 ? space : "") + String(decoding: bytes.dropFirst(from).prefix(end - from), as: UTF8.self)
        told = max(told, end)
        stable += more
        let rest = String(decoding: bytes.dropFirst(told), as: UTF8.self)
        tentative = (told == 0 && !rest.isEmpty ? space : "") + rest
        if text.isFinal {
            whole += TranscriptSentences.space(between: whole, text.text) + text.text
            language = language ?? text.language
            (told, tentative) = (0, "")
        }
        return more
    }
}
