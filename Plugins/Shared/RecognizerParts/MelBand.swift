import Glibc

/// A triangle over some frequencies of the spectrum.
package struct MelBand {
    package let first: Int
    package let weights: [Double]

    /// Slaney's scale: 15 mels for the first 1000 Hz, logarithmic above, 27 for the 6.4-fold. Each triangle has the same area.
    ///
    /// - Parameter bins: How many frequencies from 0 to 8000 Hz a spectrum has.
    package static func slaney(_ count: Int, bins binCount: Int) -> [MelBand] {
        func hertz(_ mel: Double) -> Double {
            mel < 15 ? mel * 200 / 3 : 1000 * exp(log(6.4) / 27 * (mel - 15))
        }
        let top = 15 + log(8.0) / (log(6.4) / 27)
        let points = (0...count + 1).map { hertz(top * Double($0) / Double(count + 1)) }
        let bins = (0..<binCount).map { Double($0) * 8000 / Double(binCount - 1) }
        return (0..<count).map { band in
            let (low, middle, high) = (points[band], points[band + 1], points[band + 2])
            let heights = bins.map { max(0, min(($0 - low) / (middle - low), (high - $0) / (high - middle))) }
            let first = heights.firstIndex { $0 > 0 } ?? 0
            let last = heights.lastIndex { $0 > 0 } ?? first
            // The reference has them as floats.
            return MelBand(first: first, weights: heights[first...last].map { Double(Float($0 * 2 / (high - low))) })
        }
    }
}
