import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthHost
import SynthListening
package import SynthSystem

/// A sound that is understood for a client while it comes. One thread adds sound, another one reads; any may cancel it.
package final class LiveHearing: Sendable {
    private let choice: HearingChoice
    private let request: HearingRequest
    private let turn: HearingTurn
    private let limits: ServiceLimits
    private let budget: ByteBudget
    private let sound: IncomingFrames
    /// Says where somebody speaks; nil = nothing does, or it is known.
    private let gate: SpeechGate?
    private let silence: Int?
    private let frames = Monitor(0)

    /// Nil if the system has nothing left for it.
    ///
    /// - Parameters:
    ///   - utterance: what somebody says, to which another one adds; nil = `add` does, and the gate looks for speech.
    ///   - silence: frames of the utterance that are no speech; nil = loudness found it.
    init?(
        _ choice: HearingChoice, _ request: HearingRequest, _ turn: HearingTurn, _ gate: SpeechGate?,
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

    /// Of the sound, in hertz; it has one channel.
    package var rate: UInt32 { choice.rate }

    /// Adds sound, of finite samples. Never blocks.
    ///
    /// - Throws: `tooLong` or `overloaded`: then the sound is not understood, and must be cancelled.
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

    /// Nothing more of the sound comes.
    package func finish() { sound.end() }

    /// Gives what is understood as it comes, on this thread, which blocks until the sound has ended and is understood.
    ///
    /// - Returns: false if it was cancelled.
    package func read(_ take: (HeardText) -> Void) throws(SpeechError) -> Bool {
        var isUnderstood = false
        defer {
            sound.abandon()
            turn.end(understood: isUnderstood, .seconds(Double(max(frames.read { $0 }, sound.heard)) / Double(rate)))
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
            isUnderstood = try lane.listen(request, to: gated, unless: { turn.isCancelled }) { part in
                guard case .text(let told) = part, let text = gated.bounded(told) else { return true }
                if text.isFinal { bytes += text.text.utf8.count }
                take(text)
                return bytes <= limits.transcriptBytes
            }
        } catch {
            throw SpeechError(recognizer: error)
        }
        if bytes > limits.transcriptBytes { throw SpeechError(recognizer: .endless(choice)) }
        return isUnderstood
    }

    /// Nothing more is understood. Returns at once.
    package func cancel() {
        sound.abandon()
        turn.cancel()
    }
}

/// What was told of a text while it was understood: what stays of it, each part once.
package struct ToldText: Sendable {
    /// All that stays.
    package private(set) var whole = ""
    package private(set) var language: String?
    /// All that was told, and what may still change, which follows it.
    package private(set) var stable = ""
    package private(set) var tentative = ""
    /// Bytes of the text that is being understood which were told.
    private var told = 0

    package init() {}

    /// - Returns: what can be told now; may be empty.
    package mutating func take(_ text: HeardText) -> String {
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
