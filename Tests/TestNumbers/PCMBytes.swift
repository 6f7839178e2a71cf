/// 16-bit samples as little-endian bytes of a file or a connection.
package enum PCMBytes {
    package static func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// Returns the samples in the bytes; nil if there is half a sample at the end.
    package static func samples(_ bytes: [UInt8]) -> [Int16]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: bytes.count, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}
