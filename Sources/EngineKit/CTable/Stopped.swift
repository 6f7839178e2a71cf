/// The request is to stop. Thrown by the calls of `SpeechOutput`; let it through.
public struct Stopped: Error, Sendable {}
