import SynthAudio
import SynthHost

/// A piece of sound as an event of a module: 16 bits, little-endian, with the two bytes escaped that mean something else.
enum ModuleSound {
    /// Of one event, before they are escaped. The server's own library sends as much, so that a stop is soon seen.
    static let mostBytes = 10_000

    private static let escape: UInt8 = 0x7D
    private static let flip: UInt8 = 0x20
    private static let lineEnd: UInt8 = 0x0A

    /// How many frames an event may have.
    static func frames(_ format: SpeechFormat) -> Int { max(1, mostBytes / (2 * max(1, format.channels))) }

    /// - Parameter samples: interleaved; whole frames.
    static func event(_ samples: ArraySlice<Float>, _ format: SpeechFormat) -> [UInt8] {
        let head = """
            705-bits=16
            705-num_channels=\(format.channels)
            705-sample_rate=\(format.sampleRate)
            705-num_samples=\(samples.count / max(1, format.channels))
            705-big_endian=0
            705-AUDIO\0
            """
        var bytes = Array(head.utf8)
        bytes.reserveCapacity(bytes.count + samples.count * 2 + samples.count / 16 + 16)
        for sample in samples {
            let value = UInt16(bitPattern: FloatPCM.int16(sample))
            append(UInt8(truncatingIfNeeded: value), to: &bytes)
            append(UInt8(truncatingIfNeeded: value >> 8), to: &bytes)
        }
        return bytes + Array("\n705 AUDIO\n".utf8)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if byte == lineEnd || byte == escape {
            bytes.append(escape)
            bytes.append(byte ^ flip)
        } else {
            bytes.append(byte)
        }
    }
}
