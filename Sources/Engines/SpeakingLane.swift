/// What speaks utterances one after the other: an engine's lane, or a double of it in a test.
package protocol SpeakingLane: AnyObject, Sendable {
    /// False once it can speak no more; another lane can.
    var isAlive: Bool { get }

    /// Ends the running request, and nothing that is asked later. From any thread; returns at once.
    func cancel()

    /// Speaks one utterance and hands over its parts as they come, on this thread, which may block in `part` to hold the
    /// engine back; false = stop. Returns whether it was spoken to its end.
    ///
    /// - Parameter isStopped: asked once the request can be cancelled, so that no cancel is lost that comes before it.
    func speak(
        _ request: EngineRequest, unless isStopped: () -> Bool, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool
}

extension EngineLane: SpeakingLane {}
