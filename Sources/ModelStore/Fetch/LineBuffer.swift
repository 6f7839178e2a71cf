/// Cuts what arrives in pieces into lines.
struct LineBuffer {
    private var rest: [UInt8] = []

    /// The lines that are complete now, without their ends.
    mutating func add(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> [[UInt8]] {
        rest += bytes
        var lines = rest.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        rest = lines.removeLast()
        return lines
    }
}
