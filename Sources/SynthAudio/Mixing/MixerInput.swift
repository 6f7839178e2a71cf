/// What one channel adds to a block of a mix.
package struct MixerInput: Sendable {
    /// Interleaved, in the format of the mix: whole frames. If they are fewer than those of the block, silence follows.
    package var samples: ArraySlice<Float>
    /// The factor at the first frame.
    package var firstLevel: Float
    /// The factor that is reached with the last frame of the block; in between it changes evenly, so that no step is heard.
    package var level: Float

    package init(_ samples: ArraySlice<Float>, level: Float = 1, from firstLevel: Float? = nil) {
        self.samples = samples
        self.level = level
        self.firstLevel = firstLevel ?? level
    }
}
