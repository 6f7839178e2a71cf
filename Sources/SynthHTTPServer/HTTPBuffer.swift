/// Bytes that came and were not taken yet. They are taken as lines or by number; each is looked at once.
struct HTTPBuffer: Sendable {
    fileprivate var bytes: [UInt8] = []
    /// What was taken.
    fileprivate var start = 0
    /// Up to where no line ends.
    fileprivate var searched = 0

    var isEmpty: Bool { start == bytes.count }

    /// The next byte, which stays.
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

    /// What there is, at most `limit` bytes; empty = more bytes are needed.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let end = start + min(limit, bytes.count - start)
        defer {
            start = end
            searched = end
        }
        return Array(bytes[start..<end])
    }

    /// The next line without the CRLF at its end; nil = it is not whole yet. Only CRLF ends a line, and of control bytes
    /// only the tab may stand in one: what others read as the end of a line must not be text here.
    ///
    /// - Parameters:
    ///   - limit: of the line without its end.
    ///   - tooLong: what a longer one is refused as.
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

    /// Takes a CRLF; false = it is not whole yet.
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
    /// What comes before a delimiter, as far as it is here, and whether the delimiter follows, which is taken, too. With nothing
    /// and false more bytes are needed.
    ///
    /// - Parameter delimiter: its first byte stands in it once, so that the work is linear.
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

    /// What was taken last comes again.
    mutating func giveBack(_ count: Int) {
        start -= count
        searched = start
    }

    /// The next bytes, which stay; nil = they are not here yet.
    func peek(_ count: Int) -> [UInt8]? { bytes.count - start < count ? nil : Array(bytes[start..<start + count]) }
}
