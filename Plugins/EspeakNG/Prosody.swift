import Glibc

/// Rate and pitch in the units of libespeak-ng.
struct Prosody: Equatable {
    /// 80 … 450 words per minute around its normal 175. Durations follow within 4 %.
    static let rates: ClosedRange<Float> = 80 / 175...450 / 175
    /// The factors that base pitch and range can reach together.
    static let pitches: ClosedRange<Float> = 0.65...1.75

    let wordsPerMinute: Int32
    /// 0 … 99
    let pitch: Int32
    /// 0 … 99
    let range: Int32

    /// The base pitch doubles every 50 steps; the melody above it is `range`/50 of the voice's own, in hertz. To keep
    /// the melody's musical intervals, the range takes the whole factor. But libespeak-ng lowers the base as the range
    /// widens, by about a quarter of the base for each doubling, and this corrects it. The fundamental frequency of
    /// seven voices was measured to follow the factor within 4 %.
    init(rate: Float, pitch factor: Float) {
        wordsPerMinute = Int32((175 * rate).rounded())
        let base = factor + 0.25 * (factor - 1)
        pitch = min(max(Int32((50 + 50 * log2(base)).rounded()), 0), 99)
        range = min(max(Int32((50 * factor).rounded()), 0), 99)
    }
}
