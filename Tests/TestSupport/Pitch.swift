package enum Pitch {
    /// Returns the ratio of the pitch periods in `changed` to those in `plain`, which is the same speech at a different
    /// tempo. The result is the median over all times at which both are voiced, or `nil` if there are no such times.
    ///
    /// Uses normalized autocorrelation, for sample rates between about 16 and 25 kHz.
    package static func periods(of changed: [Float], to plain: [Float]) -> Double? {
        let (one, other) = (coarse(plain), coarse(changed))
        let tempo = Double(changed.count) / Double(plain.count)
        var ratios: [Double] = []
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                for start in stride(from: 0, to: one.count, by: hop) {
                    // Both windows are centered on the same point of the speech.
                    let position = Int((Double(start + window / 2) * tempo).rounded()) - window / 2
                    if let first = period(at: start, in: one), let second = period(at: position, in: other) {
                        ratios.append(second / first)
                    }
                }
            }
        }
        return ratios.isEmpty ? nil : ratios.sorted()[ratios.count / 2]
    }

    private static let (window, hop, lags) = (320, 40, 17...130)

    /// Returns the samples at a third of the sample rate, which is sufficient for the pitch of a voice.
    private static func coarse(_ samples: [Float]) -> [Float] {
        stride(from: 0, to: samples.count - 3, by: 3).map { start in samples[start..<start + 3].reduce(0, +) }
    }

    /// Returns the pitch period at `start`; `nil` if the window is unvoiced or incomplete.
    private static func period(at start: Int, in samples: UnsafeBufferPointer<Float>) -> Double? {
        guard start >= 0, start + window + lags.upperBound <= samples.count,
            (start..<start + window).contains(where: { abs(samples[$0]) > 0.05 })
        else { return nil }
        func likeness(_ lag: Int) -> Float {
            var (product, one, other): (Float, Float, Float) = (0, 0, 0)
            var index = start
            while index < start + window {
                let (first, second) = (samples[index], samples[index + lag])
                product += first * second
                one += first * first
                other += second * second
                index += 1
            }
            return product / (one * other).squareRoot()
        }
        let likenesses = lags.map(likeness)
        guard let best = likenesses.max(), best > 0.8 else { return nil }
        // The signal is just as similar at multiples of the period, so the first lag that is nearly the best is used.
        guard
            let index = likenesses.indices.dropFirst().dropLast().first(where: {
                likenesses[$0] > best * 0.95 && likenesses[$0] >= likenesses[$0 - 1]
                    && likenesses[$0] >= likenesses[$0 + 1]
            })
        else { return nil }
        // The maximum between samples is at the vertex of the parabola through three adjacent samples.
        let (before, top, after) = (likenesses[index - 1], likenesses[index], likenesses[index + 1])
        let shift = Double((before - after) / (2 * (before - 2 * top + after)))
        return Double(lags.lowerBound + index) + (shift.isFinite ? shift : 0)
    }
}
