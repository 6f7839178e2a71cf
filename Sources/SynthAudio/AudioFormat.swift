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

    /// The format in the header of a file without sound.
    package static let silent = AudioFormat(sampleRate: 22_050, channels: 1)

    /// Whether all parts of this module support the format: 1 000 Hz to 384 000 Hz, 1 to 8 channels.
    package var isUsable: Bool {
        (1_000...384_000).contains(sampleRate) && (1...8).contains(channels)
    }

    /// - Throws: `formatUnusable`.
    func check() throws(AudioError) {
        guard isUsable else { throw .formatUnusable(self) }
    }
}
