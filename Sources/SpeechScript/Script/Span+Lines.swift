extension Span<UInt8> {
    func bytes(of range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

    func lastByte(of range: Range<Int>) -> UInt8? { range.isEmpty ? nil : self[range.upperBound - 1] }

    /// The first byte that is no space or tab; else the end of the range.
    func firstVisible(_ range: Range<Int>) -> Int {
        range.first { self[$0] != 0x20 && self[$0] != 0x09 } ?? range.upperBound
    }
}
