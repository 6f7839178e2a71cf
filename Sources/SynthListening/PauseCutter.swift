/// Splits long audio at quiet points into pieces that are short enough for a recognizer. Words stay intact unless the
/// search range contains no pause.
///
/// Levels are compared only with each other, so the result does not depend on the level of background noise.
package struct PauseCutter {
    /// A piece of audio and its position.
    package struct Piece: Equatable, Sendable {
        /// Interleaved samples.
        package let samples: [Float]
        /// The first frame, relative to the start of the audio.
        package let start: Int
        package var channels = 1

        package var end: Int { start + samples.count / channels }

        /// Returns the samples of one channel.
        ///
        /// - Parameter number: the channel number, starting at 0.
        package func samples(of number: Int) -> [Float] {
            channels == 1 ? samples : stride(from: number, to: samples.count, by: channels).map { samples[$0] }
        }
    }

    /// The maximum length of a piece in frames.
    private let most: Int
    /// The length of the search range at the end of a piece, in frames.
    private let searched: Int
    /// The number of frames in a block for power measurement.
    private let block: Int
    private let channels: Int
    private static let blocksOfPause = 20

    private var samples: [Float] = []
    private var start = 0

    /// - Parameters:
    ///   - rate: the sample rate in hertz.
    ///   - channels: the number of channels. All channels are split at the same points.
    ///   - seconds: the maximum duration of a piece in seconds, at least 2.
    package init(rate: Int, channels: Int = 1, longest seconds: Double) {
        self.channels = max(1, channels)
        block = max(1, rate / 100)
        most = max(4 * Self.blocksOfPause * block, Int(Double(rate) * min(max(2, seconds.isNaN ? 0 : seconds), 1e6)))
        searched = most / 2
    }

    /// Adds audio.
    ///
    /// - Returns: the completed pieces.
    package mutating func add(_ more: some Sequence<Float>) -> [Piece] {
        samples += more
        var pieces: [Piece] = []
        while samples.count > most * channels { pieces.append(cut(at: quietest())) }
        return pieces
    }

    /// Returns the remaining audio, or nil if there is none.
    package mutating func finish() -> Piece? { samples.isEmpty ? nil : cut(at: samples.count / channels) }

    private mutating func cut(at place: Int) -> Piece {
        let piece = Piece(samples: Array(samples[..<(place * channels)]), start: start, channels: channels)
        samples.removeFirst(place * channels)
        start += place
        return piece
    }

    /// Returns the middle of the quietest interval in the search range. The interval is as long as a typical pause. If
    /// several intervals are equally quiet, the last one is used, to make the pieces longer.
    private func quietest() -> Int {
        let first = (most - searched) / block
        let powers = (first..<most / block).map { index in
            samples[index * block * channels..<(index + 1) * block * channels].reduce(0 as Float) { $0 + $1 * $1 }
        }
        let length = min(Self.blocksOfPause, powers.count)
        var sum = powers.prefix(length).reduce(0, +)
        var best = (place: 0, sum: sum)
        for place in 1...max(1, powers.count - length) where place + length <= powers.count {
            // Recompute the sum each time, because a running sum would accumulate rounding errors after loud parts.
            sum = powers[place..<place + length].reduce(0, +)
            if sum <= best.sum { best = (place, sum) }
        }
        return (first + best.place + length / 2) * block
    }
}
