/// Cuts a long sound into pieces that a recognizer can take whole, in the quietest places, so that no word is cut while there is
/// any pause.
///
/// It compares parts of the sound with each other only, so that it works in noise as in silence.
package struct PauseCutter {
    /// A part of the sound, with its place.
    package struct Piece: Equatable, Sendable {
        /// Interleaved.
        package let samples: [Float]
        /// The first of its frames, counted from the first of the sound.
        package let start: Int
        package var channels = 1

        package var end: Int { start + samples.count / channels }

        /// - Parameter number: from 0.
        package func samples(of number: Int) -> [Float] {
            channels == 1 ? samples : stride(from: number, to: samples.count, by: channels).map { samples[$0] }
        }
    }

    /// The longest piece, and how much of its end is looked at for a place to cut, in frames.
    private let most: Int
    private let searched: Int
    /// The frames whose power is one number, and how many of these numbers a pause has.
    private let block: Int
    private let channels: Int
    private static let blocksOfPause = 20

    private var samples: [Float] = []
    private var start = 0

    /// - Parameters:
    ///   - rate: of the sound, in hertz.
    ///   - channels: of the sound, which are cut in the same places.
    ///   - seconds: of the longest piece; at least 2.
    package init(rate: Int, channels: Int = 1, longest seconds: Double) {
        self.channels = max(1, channels)
        block = max(1, rate / 100)
        most = max(4 * Self.blocksOfPause * block, Int(Double(rate) * min(max(2, seconds.isNaN ? 0 : seconds), 1e6)))
        searched = most / 2
    }

    /// Takes more of the sound.
    ///
    /// - Returns: the pieces that are complete now.
    package mutating func add(_ more: some Sequence<Float>) -> [Piece] {
        samples += more
        var pieces: [Piece] = []
        while samples.count > most * channels { pieces.append(cut(at: quietest())) }
        return pieces
    }

    /// The rest of the sound; nil if there is none.
    package mutating func finish() -> Piece? { samples.isEmpty ? nil : cut(at: samples.count / channels) }

    private mutating func cut(at place: Int) -> Piece {
        let piece = Piece(samples: Array(samples[..<(place * channels)]), start: start, channels: channels)
        samples.removeFirst(place * channels)
        start += place
        return piece
    }

    /// The middle of the quietest stretch of the length of a pause in the part that is looked at; the last of equals, so that
    /// pieces are long.
    private func quietest() -> Int {
        let first = (most - searched) / block
        let powers = (first..<most / block).map { index in
            samples[index * block * channels..<(index + 1) * block * channels].reduce(0 as Float) { $0 + $1 * $1 }
        }
        let length = min(Self.blocksOfPause, powers.count)
        var sum = powers.prefix(length).reduce(0, +)
        var best = (place: 0, sum: sum)
        for place in 1...max(1, powers.count - length) where place + length <= powers.count {
            // Summed anew: differences of floats would leave something of loud parts.
            sum = powers[place..<place + length].reduce(0, +)
            if sum <= best.sum { best = (place, sum) }
        }
        return (first + best.place + length / 2) * block
    }
}
