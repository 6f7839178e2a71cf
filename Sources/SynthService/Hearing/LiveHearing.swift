import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthHost
import SynthListening
import SynthRecognizers
package import SynthSystem

/// A sound that is understood for a client while it comes. One thread adds sound, another one reads; any may cancel it.
package final class LiveHearing: Sendable {
    private let choice: HearingChoice
    private let request: HearingRequest
    private let turn: HearingTurn
    private let limits: ServiceLimits
    private let budget: ByteBudget
    private let sound: IncomingFrames
    private let frames = Monitor(0)
    private let lane = Monitor<RecognizerLane?>(nil)

    /// Nil if the system has nothing left for it.
    init?(
        _ choice: HearingChoice, _ request: HearingRequest, _ turn: HearingTurn, _ budget: ByteBudget,
        _ limits: ServiceLimits
    ) {
        guard let sound = try? IncomingFrames(most: .max, onTake: { budget.giveBack($0 * Self.bytesOfFrame) }) else {
            return nil
        }
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
            turn.end(understood: isUnderstood, .seconds(Double(frames.read { $0 }) / Double(rate)))
        }
        var bytes = 0
        do {
            guard let lane = try turn.lane() else { return false }
            defer {
                turn.stops(by: nil)
                turn.giveBack(lane)
            }
            turn.stops { lane.cancel() }
            isUnderstood = try lane.listen(request, to: sound, unless: { turn.isCancelled }) { part in
                guard case .text(let text) = part else { return true }
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
