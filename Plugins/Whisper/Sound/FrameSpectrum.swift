import Glibc

/// The powers of the 201 frequencies of windowed frames of 400 samples, four frames at a time.
///
/// A real transform of 400 points is a complex one of 200, half of it twisted afterwards; that one goes by Stockham's steps of
/// 5, 5, 4 and 2, which need no reordering. Double precision, because quiet bands lie 80 dB below loud ones: their powers
/// are as exact as the reference's. One thread at a time.
struct FrameSpectrum {
    static let length = 400
    static let binCount = length / 2 + 1
    typealias Lanes = SIMD4<Double>

    private static let half = length / 2
    private static let radices = [5, 5, 4, 2]

    private struct Step {
        let radix: Int
        /// Of the part that is left, before this step.
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
    private var real = [Lanes](repeating: .zero, count: half)
    private var imaginary = [Lanes](repeating: .zero, count: half)
    private var otherReal = [Lanes](repeating: .zero, count: half)
    private var otherImaginary = [Lanes](repeating: .zero, count: half)

    init() {
        func root(_ index: Int, _ count: Int) -> SIMD2<Double> {
            let angle = -2 * Double.pi * Double(index % count) / Double(count)
            return SIMD2(cos(angle), sin(angle))
        }
        var steps: [Step] = []
        var (count, stride) = (Self.half, 1)
        for radix in Self.radices {
            let left = count / radix
            steps.append(
                Step(
                    radix: radix, count: count, stride: stride,
                    twiddles: (0..<left).flatMap { p in (0..<radix).map { root(p * $0, count) } },
                    roots: (0..<radix).flatMap { t in (0..<radix).map { root(t * $0, radix) } }))
            (count, stride) = (left, stride * radix)
        }
        self.steps = steps
        // The periodic one: its 401st value would be the first again.
        window = (0..<Self.length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.length)) }
        twist = (0...Self.half).map { root($0, Self.length) }
    }

    /// - Parameters:
    ///   - samples: At least `starts`' largest plus 400.
    ///   - starts: Where the four frames begin.
    ///   - powers: Gets 201 numbers for each of the four.
    mutating func powers(of samples: [Float], at starts: SIMD4<Int>, into powers: inout [Lanes]) {
        for place in 0..<Self.half {
            var (even, odd) = (Lanes.zero, Lanes.zero)
            for lane in 0..<4 {
                even[lane] = Double(samples[starts[lane] + 2 * place])
                odd[lane] = Double(samples[starts[lane] + 2 * place + 1])
            }
            real[place] = even * window[2 * place]
            imaginary[place] = odd * window[2 * place + 1]
        }
        for step in steps {
            Self.apply(step, real, imaginary, &otherReal, &otherImaginary)
            swap(&real, &otherReal)
            swap(&imaginary, &otherImaginary)
        }
        for bin in 0...Self.half {
            let (near, far) = (bin % Self.half, (Self.half - bin) % Self.half)
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
