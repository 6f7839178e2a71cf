/// The shape of a stream of interleaved float32 PCM in [-1, 1].
package struct AudioFormat: Sendable, Hashable {
    /// Frames per second.
    package var sampleRate: Int
    /// Samples per frame.
    package var channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// What a file says that never received a sound.
    package static let silent = AudioFormat(sampleRate: 22_050, channels: 1)

    /// The formats that every part of this room can carry: 1 000 Hz to 384 000 Hz, 1 to 8 channels.
    package var isUsable: Bool {
        (1_000...384_000).contains(sampleRate) && (1...8).contains(channels)
    }

    /// - Throws: `formatUnusable`.
    func check() throws(AudioError) {
        guard isUsable else { throw .formatUnusable(self) }
    }
}
