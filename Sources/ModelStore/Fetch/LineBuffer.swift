/// Splits bytes that arrive in pieces into lines.
struct LineBuffer {
    private var rest: [UInt8] = []

    /// More than any line that is meant.
    private static let longestLine = 1 << 20

    /// Whether a line is longer than any that is meant.
    var isOverfull: Bool { rest.count > Self.longestLine }

    /// The lines that are complete now, without line feeds.
    mutating func add(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> [[UInt8]] {
        rest += bytes
        var lines = rest.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
        rest = lines.removeLast()
        return lines
    }
}
