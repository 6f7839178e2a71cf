/// One caller that speaks. It speaks one request at a time; lanes of one model speak side by side.
public protocol SpeechLane {
    /// Speaks one utterance: calls `begin`, writes events and audio, and returns after the last frame. If there is
    /// nothing to say, it writes nothing.
    ///
    /// If the request is to stop, the calls of `output` throw `Stopped`: do not catch it. The user sees the message of
    /// an `EngineError`, or the description of any other error.
    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws
}
