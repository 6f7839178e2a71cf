/// Seeds the noise of a run by what it says and where it stands, so that equal requests give equal samples in any lane and
/// process.
enum NoiseSeed {
    /// - Parameters:
    ///   - position: The number of the run in the request.
    ///   - variation: That of the request. Beyond the voice's own, each value has noise of its own.
    static func of(_ symbols: [Int32], position: Int, variation: Float) -> UInt64 {
        // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ number: UInt32) {
            for shift in stride(from: 0, to: 32, by: 8) {
                hash = (hash ^ UInt64(number >> shift & 0xFF)) &* 0x100_0000_01B3
            }
        }
        for symbol in symbols { add(UInt32(bitPattern: symbol)) }
        add(UInt32(truncatingIfNeeded: position))
        if variation > 1 { add(variation.bitPattern) }
        return hash
    }
}
