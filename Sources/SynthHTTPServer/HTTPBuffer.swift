/// Received bytes that have not been consumed yet. They are consumed by line or by count; each byte is examined once.
struct HTTPBuffer: Sendable {
    fileprivate var bytes: [UInt8] = []
    /// The number of consumed bytes.
    fileprivate var start = 0
    /// No line ends before this position.
    fileprivate var searched = 0

    var isEmpty: Bool { start == bytes.count }

    /// The next byte, without consuming it.
    var first: UInt8? { isEmpty ? nil : bytes[start] }

    mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes += more
    }

    mutating func clear() { self = HTTPBuffer() }

    /// Consumes the available bytes, up to `limit`; empty if more bytes are needed.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(limit, bytes.count - start)
        defer {
            start = end
            searched = end
        }
        return Array(bytes[start..<end])
    }

    /// Consumes the next line, without its CRLF; nil if it is incomplete. Only CRLF ends a line, and a tab is the only control byte
    /// allowed in it: bytes that other programs treat as a line ending must not be accepted as text.
    ///
    /// - Parameters:
    ///   - limit: the maximum length, excluding the line ending.
    ///   - tooLong: the error for a longer line.
    mutating func takeLine(atMost limit: Int, else tooLong: HTTPRefusal) throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        while searched < bytes.count {
            if searched - start > limit { throw tooLong }
            switch bytes[searched] {
            case 0x0D:
                guard searched + 1 < bytes.count else { return nil }
                guard bytes[searched + 1] == 0x0A else { throw .bareCarriageReturn }
                let line = bytes[start..<searched]
                searched += 2
                start = searched
                return line
            case 0x0A: throw .bareLineFeed
            case 0..<0x09, 0x0B..<0x20, 0x7F: throw .controlByte
            default: searched += 1
            }
        }
        return nil
    }

    /// Consumes a CRLF; returns false if it is incomplete.
    mutating func takeLineBreak() throws(HTTPRefusal) -> Bool {
        guard let first else { return false }
        guard first == 0x0D else { throw .chunkEnd }
        guard start + 1 < bytes.count else { return false }
        guard bytes[start + 1] == 0x0A else { throw .chunkEnd }
        start += 2
        searched = start
        return true
    }
}

extension HTTPBuffer {
    /// Consumes the available bytes before a delimiter, and the delimiter itself if it follows. If the result is empty and
    /// `isWhole` is false, more bytes are needed.
    ///
    /// - Parameter delimiter: its first byte must not occur again in it, so that the search is linear.
    mutating func take(before delimiter: [UInt8]) -> (bytes: ArraySlice<UInt8>, isWhole: Bool) {
        defer { searched = start }
        let from = start
        var place = start
        while let found = bytes[place...].firstIndex(of: delimiter[0]) {
            let here = bytes[found...].prefix(delimiter.count)
            if delimiter.starts(with: here) {
                let isWhole = here.count == delimiter.count
                start = isWhole ? here.endIndex : found
                return (bytes[from..<found], isWhole)
            }
            place = found + 1
        }
        start = bytes.count
        return (bytes[from...], false)
    }

    /// Returns the most recently consumed bytes to the buffer.
    mutating func giveBack(_ count: Int) {
        start -= count
        searched = start
    }

    /// The next bytes, without consuming them; nil if they have not arrived yet.
    func peek(_ count: Int) -> [UInt8]? { bytes.count - start < count ? nil : Array(bytes[start..<start + count]) }
}
