/// Received bytes that have not been consumed yet. Each byte is scanned once.
struct HTTPBuffer: Sendable {
    fileprivate var bytes: [UInt8] = []
    fileprivate var start = 0
    /// The bytes before this index contain no line ending.
    fileprivate var searched = 0

    var isEmpty: Bool { start == bytes.count }

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

    /// Consumes up to `limit` of the available bytes. Returns an empty array if more bytes are needed.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(limit, bytes.count - start)
        defer {
            start = end
            searched = end
        }
        return Array(bytes[start..<end])
    }

    /// Consumes the next line and returns it without its CRLF, or nil if it is incomplete. Only CRLF ends a line, and a tab is the only
    /// control byte allowed in it, because other programs treat some control bytes as line endings.
    ///
    /// - Parameters:
    ///   - limit: the maximum length, excluding the line ending.
    ///   - tooLong: the error to throw if the line is longer than `limit`.
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

    /// Consumes a CRLF. Returns false if the CRLF has not been received completely.
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
    /// Consumes the available bytes up to and including a delimiter and returns them without the delimiter. If the
    /// result is empty and `isWhole` is false, more bytes are needed.
    ///
    /// - Parameter delimiter: the delimiter. Its first byte must occur only once in it, so that the search takes linear
    ///   time.
    mutating func take(before delimiter: [UInt8]) -> (bytes: ArraySlice<UInt8>, isWhole: Bool) {
        defer { searched = start }
        let from = start
        var position = start
        while let found = bytes[position...].firstIndex(of: delimiter[0]) {
            let here = bytes[found...].prefix(delimiter.count)
            if delimiter.starts(with: here) {
                let isWhole = here.count == delimiter.count
                start = isWhole ? here.endIndex : found
                return (bytes[from..<found], isWhole)
            }
            position = found + 1
        }
        start = bytes.count
        return (bytes[from...], false)
    }

    /// Puts back the most recently consumed bytes.
    mutating func unread(_ count: Int) {
        start -= count
        searched = start
    }

    /// Returns the next bytes, without consuming them, or nil if fewer are available.
    func peek(_ count: Int) -> [UInt8]? { bytes.count - start < count ? nil : Array(bytes[start..<start + count]) }
}
