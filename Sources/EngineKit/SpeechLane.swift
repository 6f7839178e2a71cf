/// One caller that speaks. It speaks one request at a time; lanes of one model speak side by side.
public protocol SpeechLane {
    /// Speaks one utterance: `begin`, then events and audio, and returns when the last frame is written. Writing nothing
    /// at all means that there was nothing to say.
    ///
    /// A request that is to stop makes the calls of `output` throw `Stopped`: let it through. An `EngineError` reaches
    /// the user as it is written, any other error by its description.
    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws
}
