import Glibc

/// Finds places where nobody speaks, if nobody else tells where they are.
///
/// By loudness alone, which noise misleads; a detector of speech knows better. But the quietest place within some seconds is one
/// between two words in noise, too.
package enum QuietPlaces {
    /// Of all sound here, in hertz.
    package static let rate = 16_000
    /// 20 ms
    private static let block = rate / 50
    /// A pause of a speaker; within a word, silence before a `t` is shorter.
    private static let leastBlocks = 8
    /// Between what is loud and what is quiet, in decibels.
    private static let depth = 20.0

    /// Pauses, as ranges of samples: at least 160 ms, and 20 dB below the loud tenth of the sound.
    package static func pauses(in samples: ArraySlice<Float>) -> [Range<Int>] {
        let levels = levels(of: samples)
        guard let loud = levels.sorted().dropLast(levels.count / 10).last else { return [] }
        var pauses: [Range<Int>] = []
        var start: Int?
        for (place, level) in (levels + [.infinity]).enumerated() {
            if level < loud - depth {
                start = start ?? place
            } else if let begin = start {
                if place - begin >= leastBlocks {
                    pauses.append(samples.startIndex + begin * block..<samples.startIndex + place * block)
                }
                start = nil
            }
        }
        return pauses
    }

    /// How many samples of a part are nearly as loud as the loud tenth of the sound, as half of speech is: at most 10 dB below.
    /// 0 for a part that is as even as noise: its loud and quiet tenths are less than 10 dB apart.
    package static func loudCount(in part: Range<Int>, of samples: ArraySlice<Float>) -> Int {
        let all = levels(of: samples)
        let own = levels(of: samples[part.clamped(to: samples.indices)]).sorted()
        guard let loud = all.sorted().dropLast(all.count / 10).last, let most = own.dropLast(own.count / 10).last,
            let least = own.dropFirst(own.count / 10).first, most - least >= depth / 2
        else { return 0 }
        return own.count { $0 > loud - depth / 2 } * block
    }

    /// The middle of the quietest 200 ms; the end if the sound is shorter.
    package static func quietest(in samples: ArraySlice<Float>) -> Int {
        let levels = levels(of: samples).map { pow(10, $0 / 10) }
        let width = 10
        guard levels.count > width else { return samples.endIndex }
        var sum = levels.prefix(width).reduce(0, +)
        var best = (place: 0, sum: sum)
        for place in 1...levels.count - width {
            sum += levels[place + width - 1] - levels[place - 1]
            if sum < best.sum { best = (place, sum) }
        }
        return samples.startIndex + (best.place + width / 2) * block
    }

    /// Whether nobody can have spoken: not even quiet speech by a poor microphone is below -66 dB at its peaks.
    package static func isSilent(_ samples: ArraySlice<Float>) -> Bool {
        !samples.contains { abs($0) > 0.0005 || $0.isNaN }
    }

    /// In decibels, a block each.
    private static func levels(of samples: ArraySlice<Float>) -> [Double] {
        stride(from: samples.startIndex, to: samples.endIndex - block + 1, by: block).map { start in
            let sum = samples[start..<start + block].reduce(Float(0)) { $0 + $1 * $1 }
            return 10 * log10(Double(max(sum / Float(block), 1e-10)))
        }
    }
}
