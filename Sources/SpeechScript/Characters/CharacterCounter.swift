/// Counts the characters (Unicode scalars) of a document whose control characters have become spaces, byte by byte.
struct CharacterCounter: Sendable {
    /// The document's offset up to which characters were counted, and their number.
    private var offset = 0
    private var count = 0
    /// Offsets of bytes that continued a character before they became spaces, in ascending order.
    private var hidden: ArraySlice<Int> = []

    /// Notes what a filter changed.
    ///
    /// - Parameters:
    ///   - place: the document's offset of the first byte of both.
    ///   - before, after: the same bytes before and after the filter.
    mutating func note(at place: Int, before: some Sequence<UInt8>, after: ArraySlice<UInt8>) {
        for (index, (old, new)) in zip(before, after).enumerated()
        where UTF8.isContinuation(old) && !UTF8.isContinuation(new) {
            hidden.append(place + index)
        }
    }

    /// Counts up to an offset of the document.
    ///
    /// - Parameter buffer: the filtered bytes from `base` on.
    mutating func advance(to end: Int, in buffer: [UInt8], from base: Int) {
        guard end > offset else { return }
        let bytes = buffer[max(0, offset - base)..<min(max(0, end - base), buffer.count)]
        let passed = hidden.prefix { $0 < end }.count
        count += bytes.count { !UTF8.isContinuation($0) } - passed
        hidden = hidden.dropFirst(passed)
        offset = end
    }

    /// The places of a piece of the document that begins at the offset that was counted to.
    func places(of range: Range<Int>) -> CharacterPlaces {
        CharacterPlaces(
            first: count, hidden: hidden.prefix { $0 < range.upperBound }.map { $0 - range.lowerBound })
    }
}
