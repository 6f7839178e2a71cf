import Glibc

/// Finds pauses in speech if no speech detector is available.
///
/// Loudness is the only criterion, so noise causes errors, and a speech detector is more reliable. However, even in
/// noise, the quietest point within a few seconds is usually between words.
package enum PauseFinder {
    /// The sample rate of all audio in this module, in hertz.
    package static let rate = 16_000
    /// The length of a block in samples, which is 20 ms.
    private static let block = rate / 50
    /// The length of the shortest pause between words, in blocks. The silence before a `t` within a word is shorter.
    private static let minimumBlocks = 8
    /// The level difference between loud audio and a pause, in decibels.
    private static let depth = 20.0

    /// Returns the pauses as sample ranges. A pause is at least 160 ms long and at least 20 dB below the loudest tenth
    /// of the audio.
    package static func pauses(in samples: ArraySlice<Float>) -> [Range<Int>] {
        let levels = levels(of: samples)
        guard let loud = levels.sorted().dropLast(levels.count / 10).last else { return [] }
        var pauses: [Range<Int>] = []
        var start: Int?
        for (place, level) in (levels + [.infinity]).enumerated() {
            if level < loud - depth {
                start = start ?? place
            } else if let begin = start {
                if place - begin >= minimumBlocks {
                    pauses.append(samples.startIndex + begin * block..<samples.startIndex + place * block)
                }
                start = nil
            }
        }
        return pauses
    }

    /// Returns the number of loud samples in a range. The level of a loud sample is at most 10 dB below the loudest
    /// tenth of the audio. In speech, about half of all samples are loud. Returns 0 if the range's loudest and quietest
    /// tenths differ by less than 10 dB, because the range may then be noise.
    package static func loudCount(in part: Range<Int>, of samples: ArraySlice<Float>) -> Int {
        let all = levels(of: samples)
        let own = levels(of: samples[part.clamped(to: samples.indices)]).sorted()
        guard let loud = all.sorted().dropLast(all.count / 10).last, let most = own.dropLast(own.count / 10).last,
            let least = own.dropFirst(own.count / 10).first, most - least >= depth / 2
        else { return 0 }
        return own.count { $0 > loud - depth / 2 } * block
    }

    /// Returns the middle of the quietest 200 ms, or the end of the audio if it is shorter than 200 ms.
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

    /// Whether the audio is too quiet to contain speech: even quiet speech recorded with a poor microphone peaks above
    /// -66 dB.
    package static func isSilent(_ samples: ArraySlice<Float>) -> Bool {
        !samples.contains { abs($0) > 0.0005 || $0.isNaN }
    }

    /// Returns the level of each block in decibels.
    private static func levels(of samples: ArraySlice<Float>) -> [Double] {
        stride(from: samples.startIndex, to: samples.endIndex - block + 1, by: block).map { start in
            let sum = samples[start..<start + block].reduce(Float(0)) { $0 + $1 * $1 }
            return 10 * log10(Double(max(sum / Float(block), 1e-10)))
        }
    }
}
