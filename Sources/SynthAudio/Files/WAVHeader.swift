/// The 44 bytes before 16-bit PCM: a RIFF chunk with a `fmt ` and a `data` chunk (Multimedia Programming Interface and
/// Data Specifications 1.0, IBM and Microsoft, 1991).
struct WAVHeader {
    static let size = 44
    /// Bytes of sound after which the RIFF size no longer fits into 32 bits.
    static let largestDataSize = Int(UInt32.max) - (size - 8)

    var format: AudioFormat
    /// Bytes of sound, or nil for a stream whose end is not known.
    var dataSize: Int?

    var bytesPerFrame: Int { format.channels * 2 }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        func append(_ text: StaticString) {
            text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }
        func append<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append("RIFF")
        append(dataSize.map { UInt32(clamping: $0 + Self.size - 8) } ?? .max)
        append("WAVEfmt ")
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(clamping: format.channels))
        append(UInt32(clamping: format.sampleRate))
        append(UInt32(clamping: format.sampleRate * bytesPerFrame))
        append(UInt16(clamping: bytesPerFrame))
        append(UInt16(16))
        append("data")
        append(dataSize.map { UInt32(clamping: $0) } ?? .max)
        return bytes
    }
}
