/// The shape of sound: interleaved 32-bit floats, nominally from -1 to 1.
public struct SpeechFormat: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channels: Int

    /// A shape of sound.
    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
