import Glibc

/// The power spectra of windowed frames, computed four frames at a time.
///
/// A 400-point real transform is computed as a 200-point complex transform and a final rotation. The complex transform uses
/// Stockham steps of radix 5, 5, 4 and 2, which need no reordering. It uses double precision, because quiet bands are
/// 80 dB below loud ones, and the power of both must be as precise as in the reference implementation. Use an instance
/// on one thread at a time.
package struct FrameSpectrum {
    /// One number per frame.
    package typealias Lanes = SIMD4<Double>

    /// The length of a frame in samples.
    package let length: Int
    /// The number of frequency bins from 0 to half the sample rate, inclusive.
    package let binCount: Int
    private let half: Int

    private struct Step {
        let radix: Int
        /// The number of points that remain before this step.
        let count: Int
        let stride: Int
        /// For each p below `count / radix` and each u below `radix`: cos and sin of -2πpu / `count`.
        let twiddles: [SIMD2<Double>]
        /// For each t, u below `radix`: cos and sin of -2πtu / `radix`.
        let roots: [SIMD2<Double>]
    }

    private let steps: [Step]
    private let window: [Double]
    private let twist: [SIMD2<Double>]
    private var real: [Lanes]
    private var imaginary: [Lanes]
    private var otherReal: [Lanes]
    private var otherImaginary: [Lanes]

    /// - Parameter window: One weight per sample of a frame. The number of weights must be even and should have no
    ///   prime factors other than 2 and 5.
    package init(window: [Double]) {
        let (length, half) = (window.count, window.count / 2)
        func root(_ index: Int, _ count: Int) -> SIMD2<Double> {
            let angle = -2 * Double.pi * Double(index % count) / Double(count)
            return SIMD2(cos(angle), sin(angle))
        }
        var steps: [Step] = []
        var (count, stride) = (half, 1)
        while count > 1 {
            let radix = [5, 4, 2].first { count.isMultiple(of: $0) } ?? count
            let left = count / radix
            steps.append(
                Step(
                    radix: radix, count: count, stride: stride,
                    twiddles: (0..<left).flatMap { p in (0..<radix).map { root(p * $0, count) } },
                    roots: (0..<radix).flatMap { t in (0..<radix).map { root(t * $0, radix) } }))
            (count, stride) = (left, stride * radix)
        }
        self.steps = steps
        self.window = window
        twist = (0...half).map { root($0, length) }
        (self.length, self.half, binCount) = (length, half, half + 1)
        let zeros = [Lanes](repeating: .zero, count: half)
        (real, imaginary, otherReal, otherImaginary) = (zeros, zeros, zeros, zeros)
    }

    /// Returns a Hann window. A periodic window continues seamlessly into the next window; a symmetric window starts
    /// and ends with the same value.
    package static func hann(_ count: Int, isPeriodic: Bool) -> [Double] {
        let period = Double(isPeriodic ? count : max(1, count - 1))
        return (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / period) }
    }

    /// Computes the power spectra of four frames.
    ///
    /// - Parameters:
    ///   - samples: Samples up to at least the end of the last frame.
    ///   - starts: The starts of the four frames.
    ///   - powers: Receives `binCount` numbers per frame.
    package mutating func powers(of samples: [Float], at starts: SIMD4<Int>, into powers: inout [Lanes]) {
        for position in 0..<half {
            var (even, odd) = (Lanes.zero, Lanes.zero)
            for lane in 0..<4 {
                even[lane] = Double(samples[starts[lane] + 2 * position])
                odd[lane] = Double(samples[starts[lane] + 2 * position + 1])
            }
            real[position] = even * window[2 * position]
            imaginary[position] = odd * window[2 * position + 1]
        }
        for step in steps {
            Self.apply(step, real, imaginary, &otherReal, &otherImaginary)
            swap(&real, &otherReal)
            swap(&imaginary, &otherImaginary)
        }
        for bin in 0...half {
            let (near, far) = (bin % half, (half - bin) % half)
            let evenReal = (real[near] + real[far]) * 0.5
            let evenImaginary = (imaginary[near] - imaginary[far]) * 0.5
            let oddReal = (imaginary[near] + imaginary[far]) * 0.5
            let oddImaginary = (real[far] - real[near]) * 0.5
            let turn = twist[bin]
            let sumReal = evenReal + oddReal * turn.x - oddImaginary * turn.y
            let sumImaginary = evenImaginary + oddReal * turn.y + oddImaginary * turn.x
            powers[bin] = sumReal * sumReal + sumImaginary * sumImaginary
        }
    }

    private static func apply(
        _ step: Step, _ real: [Lanes], _ imaginary: [Lanes], _ toReal: inout [Lanes], _ toImaginary: inout [Lanes]
    ) {
        let left = step.count / step.radix
        for p in 0..<left {
            for q in 0..<step.stride {
                for u in 0..<step.radix {
                    var (sumReal, sumImaginary) = (Lanes.zero, Lanes.zero)
                    for t in 0..<step.radix {
                        let from = q + step.stride * (p + left * t)
                        let root = step.roots[t * step.radix + u]
                        sumReal += real[from] * root.x - imaginary[from] * root.y
                        sumImaginary += real[from] * root.y + imaginary[from] * root.x
                    }
                    let turn = step.twiddles[p * step.radix + u]
                    let to = q + step.stride * (step.radix * p + u)
                    toReal[to] = sumReal * turn.x - sumImaginary * turn.y
                    toImaginary[to] = sumReal * turn.y + sumImaginary * turn.x
                }
            }
        }
    }
}

/// A triangular band of the spectrum.
package struct MelBand {
    package let first: Int
    package let weights: [Double]

    /// Returns bands on Slaney's scale: linear up to 1000 Hz (15 mels), and logarithmic above, with 27 mels per factor
    /// of 6.4. All triangles have the same area.
    ///
    /// - Parameter bins: The number of frequency bins from 0 to 8000 Hz in a spectrum.
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
            // The reference implementation stores the weights as 32-bit floats.
            return MelBand(first: first, weights: heights[first...last].map { Double(Float($0 * 2 / (high - low))) })
        }
    }
}
