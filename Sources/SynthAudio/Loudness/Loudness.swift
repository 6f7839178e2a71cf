/// How loud a sound is as a whole.
package struct Loudness: Sendable, Hashable {
    /// The integrated loudness by EBU R 128 and ITU-R BS.1770-4, in LUFS; finite. Pauses do not count.
    package let integrated: Double
    /// The largest sample.
    package let peak: Decibels

    package init(integrated: Double, peak: Decibels) {
        self.integrated = integrated
        self.peak = peak
    }
}
