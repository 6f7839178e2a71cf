/// Loaded weights, shared by the lanes that speak on them.
public protocol SpeechModel: Sendable {
    associatedtype Lane: SpeechLane

    /// Opens a lane. Should be cheap. Other lanes of this model may be speaking at the same time.
    func open() throws -> Lane
}
