package import EngineProcesses
package import EngineWire

/// Speaks utterances one after the other: an engine's lane, or a test double.
package protocol SpeakingLane: AnyObject, Sendable {
    /// False when it can no longer speak; a new lane is needed.
    var isAlive: Bool { get }

    /// Cancels the running request, but no later one. May be called from any thread; returns at once.
    func cancel()

    /// Speaks one utterance and passes its parts to `part` on this thread as they arrive. If `part` blocks, the engine
    /// waits (back-pressure); if it returns false, the request is cancelled. Returns whether the utterance was spoken
    /// to its end.
    ///
    /// - Parameters:
    ///   - isStopped: called as soon as the request can be cancelled, so that an earlier cancel is not lost.
    ///   - isReplaceable: whether somebody listens, and another engine would take over: this one is given up sooner if it does
    ///     nothing. Asked before it is given up.
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

/// A piece of an utterance as it is spoken.
package enum SpeechPart: Equatable, Sendable {
    /// The first part, exactly once. An utterance without any part was empty.
    case begin(sampleRate: Int, channels: Int)
    /// Interleaved, finite samples, nominally -1…1, whole frames.
    case audio([Float])
    /// Before the audio that carries its frame.
    case event(SpeechEvent)
}
