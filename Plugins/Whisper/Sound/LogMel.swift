import EngineKit
import Glibc
import SynthRecognizerParts

/// The input of a Whisper model: the log energy of 80 or 128 mel bands in 3000 frames of 10 ms.
///
/// The steps are the same as in the published feature extractor:
///
/// 1. The 16 kHz audio is zero-padded to 30 s, and extended by 200 samples of reflection at both ends.
/// 2. Power spectra are computed with a periodic Hann window of 400 samples and a hop of 160.
/// 3. The energy is summed over triangular bands of equal area on Slaney's scale, from 0 to 8000 Hz.
/// 4. The energy x of a band becomes log10(max(x, 1e-10)). Values more than 8 below the maximum of all values are
///    raised to that limit. Then, 4 is added, and the sum is divided by 4.
///
/// Use an instance on one thread at a time.
struct LogMel {
    static let rate = 16_000
    static let hop = 160
    static let frameCount = 3000
    private static let frameLength = 400
    /// The number of samples per window.
    static let windowLength = hop * frameCount

    /// The content of the frames after the end of the audio.
    enum Padding: Equatable {
        /// Silence, as in OpenAI's program.
        case silence
        /// Zeros, as in faster-whisper, although 0 is the value of loud noise.
        case zero
    }

    private static let floor = -10.0
    private static let span = 8.0

    let bandCount: Int
    private let bands: [MelBand]
    private var spectrum = FrameSpectrum(window: FrameSpectrum.hann(frameLength, isPeriodic: true))

    /// - Parameter bandCount: 80, or 128 for the models large-v3 and turbo.
    init(bandCount: Int) {
        self.bandCount = bandCount
        bands = MelBand.slaney(bandCount, bins: spectrum.binCount)
    }

    /// The features, one row per band.
    ///
    /// - Parameters:
    ///   - samples: At most 30 s of samples; any samples after that are ignored.
    ///   - frames: The number of frames, 3000 for published models. Fewer frames cover less of the audio.
    ///   - padding: The content of the frames after the end of the audio.
    /// - Throws: An error if a sample is not finite.
    mutating func features(
        of samples: some Collection<Float>, frames: Int = frameCount, padding: Padding = .silence
    ) throws -> [Float] {
        let length = Self.hop * frames
        let edge = Self.frameLength / 2
        var padded: [Float] = []
        padded.reserveCapacity(length + 2 * edge)
        padded.append(contentsOf: repeatElement(0, count: edge))
        padded.append(contentsOf: samples.prefix(length))
        guard padded.allSatisfy({ $0.isFinite && abs($0) <= Self.loudest }) else {
            throw EngineError.sound(
                "the audio contains samples that are not finite or far outside -1 to 1")
        }
        // All frames after the end of the audio are identical, so only one of them is computed.
        let processedSamples = padded.count - edge
        let sounding = processedSamples == 0 ? 0 : min(frames, (processedSamples + edge) / Self.hop + 1)
        padded.append(contentsOf: repeatElement(0, count: length + 2 * edge - padded.count))
        for position in 1...edge {
            padded[edge - position] = padded[edge + position]
            padded[edge + length - 1 + position] = padded[edge + length - 1 - position]
        }
        var features = logarithms(of: padded, sounding: processedSamples == length ? frames : sounding, frames)
        if padding == .zero {
            let end = min(frames, processedSamples / Self.hop + 1)
            for band in 0..<bandCount {
                for frame in end..<frames { features[band * frames + frame] = 0 }
            }
        }
        return features
    }

    /// The maximum magnitude of a sample. A sample with a greater magnitude is an error, because it was probably scaled
    /// to 16 bits by mistake.
    private static let loudest: Float = 1024

    private mutating func logarithms(of padded: [Float], sounding: Int, _ frames: Int) -> [Float] {
        var features = [Float](repeating: Float(Self.floor), count: bandCount * frames)
        var powers = [FrameSpectrum.Lanes](repeating: .zero, count: spectrum.binCount)
        var top = sounding < frames ? Self.floor : -Double.infinity
        for first in stride(from: 0, to: sounding, by: 4) {
            let numbers = SIMD4(first, first + 1, first + 2, first + 3)
            let inside = pointwiseMin(numbers, SIMD4(repeating: frames - 1))
            spectrum.powers(of: padded, at: inside &* Self.hop, into: &powers)
            for (number, band) in bands.enumerated() {
                var sum = FrameSpectrum.Lanes.zero
                for (offset, weight) in band.weights.enumerated() { sum += powers[band.first + offset] * weight }
                for lane in 0..<min(4, sounding - first) {
                    let logarithm = log10(max(sum[lane], 1e-10))
                    top = max(top, logarithm)
                    features[number * frames + first + lane] = Float(logarithm)
                }
            }
        }
        let least = Float(top - Self.span)
        for position in features.indices { features[position] = (max(features[position], least) + 4) / 4 }
        return features
    }
}
