/// The format of a stream of interleaved float32 PCM in [-1, 1].
package struct AudioFormat: Sendable, Equatable {
    /// Frames per second.
    package var sampleRate: Int
    /// The number of channels.
    package var channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The format in the header of an empty file.
    package static let silent = AudioFormat(sampleRate: 22_050, channels: 1)

    /// Whether all parts of this module support the format: 1,000 to 384,000 Hz and 1 to 8 channels.
    package var isUsable: Bool {
        (1_000...384_000).contains(sampleRate) && (1...8).contains(channels)
    }

    /// - Throws: `formatUnusable`.
    func check() throws(AudioError) {
        guard isUsable else { throw .formatUnusable(self) }
    }
}

/// Checks and converts float samples.
package enum FloatPCM {
    /// Returns the index of the first NaN or infinity, or nil if all samples are finite.
    package static func firstInvalid(in samples: ArraySlice<Float>) -> Int? {
        let exponent: UInt32 = 0x7F80_0000
        let found: UInt32 = samples.withUnsafeBufferPointer { buffer in
            var found: UInt32 = 0
            // The loop has no early exit so that the compiler can vectorize it.
            for sample in buffer {
                found |= sample.bitPattern & exponent == exponent ? 1 : 0
            }
            return found
        }
        guard found != 0 else { return nil }
        return samples.firstIndex { !$0.isFinite }
    }

    /// Rounds a sample to 16 bits: full scale is 32,768, ties round to even, and out-of-range values are clamped.
    package static func int16(_ sample: Float) -> Int16 {
        let scaled = max(-32_768, min(32_767, sample * 32_768))
        // Adding 1.5 * 2^23 leaves no fraction bits, so the addition rounds, and the low bits are the integer. Unlike `rounded()`,
        // this vectorizes on every x86-64 processor; unlike `Int16(_:)`, it cannot trap.
        return Int16(truncatingIfNeeded: (scaled + 12_582_912).bitPattern)
    }

    /// Converts samples to 16-bit little-endian values.
    package static func bytes16(of samples: ArraySlice<Float>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            let value = UInt16(bitPattern: int16(sample))
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        return bytes
    }

    /// Converts 16-bit little-endian values to samples. Ignores an incomplete value at the end.
    package static func samples(of bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            [Float](unsafeUninitializedCapacity: bytes.count / 2) { samples, count in
                count = samples.count
                for index in samples.indices {
                    let value = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
                    samples[index] = Float(value) / 32_768
                }
            }
        }
    }

    /// Replaces the contents of `output` with `samples` converted to 16-bit little-endian values. Keeps the capacity of
    /// `output`.
    static func convert(_ samples: ArraySlice<Float>, into output: inout [Int16]) {
        output.removeAll(keepingCapacity: true)
        samples.withUnsafeBufferPointer { buffer in
            output.append(contentsOf: buffer.lazy.map { int16($0).littleEndian })
        }
    }

    /// Replaces the contents of `output` with `samples` converted to 16-bit values in native byte order. Keeps the
    /// capacity of `output`.
    static func convertToNative(_ samples: ArraySlice<Float>, into output: inout [Int16]) {
        output.removeAll(keepingCapacity: true)
        samples.withUnsafeBufferPointer { buffer in
            output.append(contentsOf: buffer.lazy.map { int16($0) })
        }
    }

    /// Replaces the contents of `output` with `samples` clamped to [-1, 1]. Keeps the capacity of `output`.
    static func clamp(_ samples: ArraySlice<Float>, into output: inout [Float]) {
        output.removeAll(keepingCapacity: true)
        samples.withUnsafeBufferPointer { buffer in
            output.append(contentsOf: buffer.lazy.map { max(-1, min(1, $0)) })
        }
    }
}
