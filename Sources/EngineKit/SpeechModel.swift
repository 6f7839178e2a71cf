/// Loaded weights, shared by the lanes that speak on them.
public protocol SpeechModel: Sendable {
    associatedtype Lane: SpeechLane

    /// A further lane. Cheap where it can be. Other lanes of this model may be speaking meanwhile.
    func open() throws -> Lane
}
