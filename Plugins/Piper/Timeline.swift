import SynthPhonemes

/// The times of the symbols in a phrase.
struct Timeline {
    /// ID `n` extends from frame `edges[n]` to `edges[n + 1]` of the phrase.
    private let edges: [Int]
    private let units: [PhonemeIDs.Unit]

    /// - Parameters:
    ///   - durations: One duration per ID, in the model's unit. Their sum is the length of the audio.
    ///   - frameCount: The length of the audio in frames.
    /// - Returns: `nil` if the durations do not match the IDs.
    init?(_ ids: PhonemeIDs, durations: [Double], frameCount: Int) {
        let total = durations.reduce(0, +)
        guard durations.count == ids.ids.count, total > 0, total.isFinite, (Double(frameCount) / total).isFinite,
            durations.allSatisfy({ $0 >= 0 })
        else {
            return nil
        }
        // The unit is the model's hop size, which some configurations omit, so it is computed from the sum.
        let hop = Double(frameCount) / total
        guard hop.isFinite else { return nil }
        var sum = 0.0
        edges =
            [0]
            + durations.map { duration in
                sum += duration
                return min(Int(sum * hop), frameCount)
            }
        units = ids.units
    }

    /// Returns the frames of a range of symbols, including their pads; `nil` if none of the symbols is spoken.
    func frames(of symbols: Range<Int>) -> Range<Int>? {
        var frames: Range<Int>?
        for unit in units where unit.symbols.overlaps(symbols) && !unit.ids.isEmpty {
            frames = (frames?.lowerBound ?? edges[unit.ids.lowerBound])..<edges[unit.ids.upperBound]
        }
        return frames
    }

    /// Returns the phonemes of a phrase as ranges of symbols. Each phoneme is a letter with its modifiers.
    static func phonemes(of scalars: [Unicode.Scalar]) -> [Range<Int>] {
        var phonemes: [Range<Int>] = []
        var start: Int?
        for (index, scalar) in scalars.enumerated() {
            let isStress = scalar == "ˈ" || scalar == "ˌ"
            if !isStress, Self.extendsPrevious(scalar), let last = phonemes.last, last.upperBound == index {
                phonemes[phonemes.count - 1] = last.lowerBound..<index + 1
            } else if isStress {
                start = start ?? index
            } else if scalar.properties.isAlphabetic {
                phonemes.append((start ?? index)..<index + 1)
                start = nil
            } else {
                start = nil
            }
        }
        return phonemes
    }

    /// Whether the scalar modifies the preceding letter. Modifiers are length and aspiration marks, and marks above or
    /// below the letter.
    private static func extendsPrevious(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .modifierLetter, .modifierSymbol: true
        default: false
        }
    }
}
