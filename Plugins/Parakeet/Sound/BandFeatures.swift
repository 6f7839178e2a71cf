import Glibc
import SynthRecognizerParts

/// The input of a NeMo model: the log energy of mel bands in frames of 10 ms.
///
/// The steps are the same as in NeMo:
///
/// 1. Pre-emphasis: each sample x of the 16 kHz audio becomes x − 0.97 x₋₁. Then, 256 zeros are added at both ends.
/// 2. Power spectra of frames of 512 samples with a hop of 160. A symmetric Hann window of 400 samples is centered in
///    each frame.
/// 3. Triangular bands of equal area on Slaney's scale, from 0 to 8000 Hz.
/// 4. Logarithm: the energy x of a band becomes ln(x + 2⁻²⁴). Then, each band is normalized to mean 0 and standard
///    deviation 1 over all frames.
///
/// Use an instance on one thread at a time.
struct BandFeatures {
    static let rate = PauseFinder.rate
    static let hop = 160
    private static let (frameLength, windowLength) = (512, 400)
    private static let emphasis: Float = 0.97
    private static let guardValue = exp2(-24.0)

    struct Features {
        /// The energies, one row per band. The last frame is incomplete and set to 0.
        var numbers: [Float]
        var frames: Int
        /// The number of valid frames.
        var validFrames: Int { frames - 1 }
    }

    let bandCount: Int
    /// Whether each band is normalized to mean 0 and standard deviation 1.
    let isNormalized: Bool
    private let bands: [MelBand]
    private var spectrum: FrameSpectrum

    init(bandCount: Int, isNormalized: Bool = true) {
        let edge = [Double](repeating: 0, count: (Self.frameLength - Self.windowLength) / 2)
        spectrum = FrameSpectrum(window: edge + FrameSpectrum.hann(Self.windowLength, isPeriodic: false) + edge)
        bands = MelBand.slaney(bandCount, bins: spectrum.binCount)
        (self.bandCount, self.isNormalized) = (bandCount, isNormalized)
    }

    mutating func features(of samples: some Collection<Float>) -> Features {
        let edge = repeatElement(Float(0), count: Self.frameLength / 2)
        var padded: [Float] = []
        padded.reserveCapacity(samples.count + Self.frameLength)
        padded += edge
        var last: Float = 0
        for sample in samples {
            padded.append(sample - Self.emphasis * last)
            last = sample
        }
        padded += edge
        let frames = samples.count / Self.hop + 1
        var logarithms = [Double](repeating: 0, count: bandCount * frames)
        var powers = [FrameSpectrum.Lanes](repeating: .zero, count: spectrum.binCount)
        for first in stride(from: 0, to: frames - 1, by: 4) {
            let numbers = SIMD4(first, first + 1, first + 2, first + 3)
            let inside = pointwiseMin(numbers, SIMD4(repeating: frames - 1))
            spectrum.powers(of: padded, at: inside &* Self.hop, into: &powers)
            for (number, band) in bands.enumerated() {
                var sum = FrameSpectrum.Lanes.zero
                for (offset, weight) in band.weights.enumerated() { sum += powers[band.first + offset] * weight }
                for lane in 0..<min(4, frames - 1 - first) {
                    logarithms[number * frames + first + lane] = log(sum[lane] + Self.guardValue)
                }
            }
        }
        return Features(numbers: normalized(logarithms, frames), frames: frames)
    }

    private func normalized(_ logarithms: [Double], _ frames: Int) -> [Float] {
        guard isNormalized, frames > 2 else { return logarithms.map { Float($0) } }
        let validFrames = Double(frames - 1)
        var numbers = [Float](repeating: 0, count: logarithms.count)
        for start in stride(from: 0, to: logarithms.count, by: frames) {
            let row = logarithms[start..<start + frames - 1]
            let mean = row.reduce(0, +) / validFrames
            let deviation = (row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (validFrames - 1)).squareRoot()
            for position in row.indices {
                numbers[position] = Float((logarithms[position] - mean) / (deviation + 1e-5))
            }
        }
        return numbers
    }
}
