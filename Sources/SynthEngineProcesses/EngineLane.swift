package import SynthEngineWire
import SynthSystem

/// A lane of an engine. Requests run one after another. `cancel` can be called from any thread.
package final class EngineLane: Sendable {
    private let lane: WorkerLane

    init(_ opening: LaneOpening) throws(EngineFailure) { lane = try WorkerLane(opening, .speaking) }

    /// Whether the worker is alive. If not, open a new lane, which gets a new worker.
    package var isAlive: Bool { lane.isAlive }

    /// The worker's total CPU time for all of its lanes; nil if the worker has ended.
    package var processorTime: Duration? { lane.processorTime }

    /// Cancels the current request, but not later requests. Does not block.
    package func cancel() { lane.cancel() }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let serial = lane.begin()
        if isStopped() { return false }
        try send(request, serial)

        var frames: UInt64 = 0
        var channels: UInt64 = 0
        var watch = lane.newWatch()
        while true {
            switch try next(serial, &watch, isReplaceable) {
            case .begin(_, let rate, let count):
                guard channels == 0, playableChannels.contains(count), playableSampleRates.contains(rate) else {
                    throw lane.violation()
                }
                channels = UInt64(count)
                deliver(.begin(sampleRate: Int(rate), channels: Int(count)), part)
            case .audio(_, let samples):
                guard channels > 0, !samples.isEmpty, samples.count.isMultiple(of: Int(channels)) else {
                    throw lane.violation()
                }
                frames += UInt64(samples.count) / channels
                deliver(.audio(samples), part)
            case .event(_, let event):
                guard channels > 0, request.text.isValid(event.text) else { throw lane.violation() }
                deliver(.event(event), part)
            case .end(_, let frameCount, let outcome):
                switch outcome {
                case .done where frameCount == frames: return !lane.isCancelled(serial)
                case .done: throw lane.violation()
                case .cancelled: return false
                // After a cancellation, errors are irrelevant.
                case .failed where lane.isCancelled(serial): return false
                case .failed(let error): throw lane.failure(.reported(error))
                }
            }
        }
    }

    private func send(_ request: LaneRequest, _ serial: UInt64) throws(EngineFailure) {
        var numbered = request
        numbered.serial = serial
        let frame = numbered.frameBytes
        guard request.text.isSpeakable, frame.count <= largestFrame else {
            throw lane.failure(.unspeakableText)
        }
        // The worker is not reading, although no request is running.
        guard lane.send(frame) else { throw lane.violation() }
    }

    /// Delivers a part. After a cancellation, the remaining parts are dropped.
    private func deliver(_ piece: SpeechPart, _ part: (SpeechPart) -> Bool) {
        if lane.isWanted, !part(piece) { cancel() }
    }

    /// Returns the next reply to the request, dropping replies to earlier requests.
    private func next(
        _ serial: UInt64, _ watch: inout LaneWatch, _ isReplaceable: () -> Bool
    ) throws(EngineFailure) -> LaneReply {
        watch.restart()
        while true {
            guard case .frame(let bytes) = try lane.next(serial, &watch, whileReplaceable: isReplaceable) else {
                // If the engine was killed because it did not stop, the request is reported as cancelled.
                return .end(serial: serial, frameCount: 0, .cancelled)
            }
            guard let reply = try? LaneReply(frameBytes: bytes[...]), reply.serial <= serial else {
                throw lane.violation()
            }
            if reply.serial == serial { return reply }
        }
    }
}

extension EngineLane: SpeakingLane {}

extension SpokenText {
    fileprivate var utf8: String.UTF8View { content.utf8 }

    fileprivate var isSpeakable: Bool { utf8.count <= longestText && !utf8.contains(0) }

    /// Whether the range is within the text and its bounds are on Unicode scalar boundaries.
    fileprivate func isValid(_ range: Range<Int>) -> Bool {
        utf8.isBorder(range.lowerBound) && utf8.isBorder(range.upperBound)
    }
}

/// An object that speaks utterances one after another: an engine's lane or a test double.
package protocol SpeakingLane: AnyObject, Sendable {
    /// Whether the lane can still speak. If not, a new lane is needed.
    var isAlive: Bool { get }

    /// Cancels the current request, but not later requests. Can be called from any thread; does not block.
    func cancel()

    /// Speaks an utterance and passes its parts to `part` on the calling thread as they arrive. If `part` blocks, the
    /// engine waits (back-pressure). If `part` returns false, the request is cancelled. Returns whether the utterance
    /// was spoken completely.
    ///
    /// - Parameters:
    ///   - isStopped: whether the request is already cancelled. Called as soon as `cancel` affects the request, so that
    ///     no cancellation is lost.
    ///   - isReplaceable: whether a listener is waiting and another engine can take over, in which case the timeout for an idle engine is
    ///     shorter. Called before the timeout is applied.
    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool
}

extension SpeakingLane {
    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool = { false }, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        try speak(request, unless: isStopped, whileReplaceable: { false }, part)
    }
}

/// A part of an utterance that is being spoken.
package enum SpeechPart: Equatable, Sendable {
    /// The first part, which is sent exactly once. An utterance without any parts was empty.
    case begin(sampleRate: Int, channels: Int)
    /// Interleaved samples; always complete frames. They are finite and nominally from -1 to 1.
    case audio([Float])
    /// An event, which is sent before the audio that contains its frame.
    case event(SpeechEvent)
}
