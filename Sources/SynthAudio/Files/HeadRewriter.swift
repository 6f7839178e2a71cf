/// Adds comments to the header of a FLAC or Ogg file while an encoder writes it. Not thread-safe.
final class HeadRewriter {
    private enum Form {
        case flac
        case ogg(OggHead)
    }

    private let comments: VorbisComments
    private var form: Form
    /// Bytes that have been received but not yet returned.
    private var held: [UInt8] = []
    /// Whether the header is complete. If true, all later bytes are passed through unchanged.
    private var isDone = false

    /// The maximum header size. A longer header is considered invalid.
    private static let longest = 1 << 20
    /// The size of the FLAC marker and the first metadata block, which the encoder rewrites once it knows the length of
    /// the audio.
    private static let flacStart = 42

    /// Returns nil if no changes are needed.
    init?(_ format: SoundFileFormat, _ tags: SoundFileTags) {
        comments = VorbisComments(tags)
        guard !comments.isEmpty else { return nil }
        switch format {
        case .flac: form = .flac
        case .opus: form = .ogg(OggHead(headerCount: 1, prefix: Array("OpusTags".utf8)))
        case .ogg: form = .ogg(OggHead(headerCount: 2, prefix: [3] + Array("vorbis".utf8)))
        case .wav, .mp3: return nil
        }
    }

    /// Processes a chunk of the encoder's output.
    ///
    /// - Returns: the bytes to write.
    func take(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        if isDone, case .flac = form { return Array(bytes) }
        held += bytes
        var given: [UInt8] = []
        switch form {
        case .flac:
            guard let changed = flac() ?? (held.count > Self.longest ? held : nil) else { return [] }
            (given, held, isDone) = (changed, [], true)
        case .ogg(var head):
            while let page = OggPage(held[...]) {
                given += head.take(page, comments)
                held.removeFirst(page.size)
            }
            form = .ogg(head)
        }
        return given
    }

    /// Returns the remaining bytes if the file ends within its header.
    func finish() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Whether all bytes before `end` are at their original position.
    func keepsPosition(upTo end: Int) -> Bool {
        if case .flac = form { isDone && end <= Self.flacStart } else { false }
    }

    /// Returns the metadata blocks with the added comments, or nil while they are incomplete.
    private func flac() -> [UInt8]? {
        guard held.count > 4 else { return nil }
        guard held.starts(with: Array("fLaC".utf8)) else { return held }
        var result = Array(held[..<4])
        var position = 4
        var isLast = false
        while !isLast {
            guard position + 4 <= held.count else { return nil }
            isLast = held[position] & 0x80 != 0
            let kind = held[position] & 0x7F
            let size = held[position + 1..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            guard position + 4 + size <= held.count else { return nil }
            var content = held[position + 4..<position + 4 + size]
            position += 4 + size
            let isComments = kind == 4
            if isComments {
                content = comments.adding(to: content, picturesAreComments: false).map { $0[...] } ?? content
            }
            let picture = isComments ? comments.pictureBlock : nil
            result += Self.block(kind, isLast: isLast && picture == nil, content)
            if let picture { result += Self.block(6, isLast: isLast, picture[...]) }
        }
        return result + held[position...]
    }

    private static func block(_ kind: UInt8, isLast: Bool, _ content: ArraySlice<UInt8>) -> [UInt8] {
        // The size field is limited to 16 MB.
        let content = content.count < 1 << 24 ? content : []
        let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
        return [kind | (isLast ? 0x80 : 0)] + size + content
    }
}

/// All headers of an Ogg stream except the first (RFC 3533; RFC 7845, 5; Vorbis I, A.2).
struct OggHead {
    /// The number of headers that follow the first header. The second header contains the comments.
    let headerCount: Int
    /// The bytes before the comments.
    let prefix: [UInt8]

    private var pageCount = 0
    /// The headers that have been received.
    private var headers: [[UInt8]] = []
    /// Whether the last header is incomplete.
    private var isOpen = false
    private var isDone = false
    /// The number of pages by which the headers have grown.
    private var added = 0
    private var first: OggPage?
    /// The serial number, which is derived from the comments rather than random, so that the output is reproducible.
    private var serial: UInt32 = 0

    init(headerCount: Int, prefix: [UInt8]) {
        self.headerCount = headerCount
        self.prefix = prefix
    }

    /// - Returns: the replacement pages as bytes. Empty while a header is incomplete.
    mutating func take(_ page: OggPage, _ comments: VorbisComments) -> [UInt8] {
        defer { pageCount += 1 }
        // The first page contains only the first header.
        if pageCount == 0 {
            first = page
            return []
        }
        if isDone { return page.renumbered(by: added, serial).bytes }
        for piece in page.pieces {
            if isOpen { headers[headers.count - 1] += piece.bytes } else { headers.append(Array(piece.bytes)) }
            isOpen = !piece.isEnd
        }
        guard !isOpen, headers.count >= headerCount else { return [] }
        isDone = true
        if let first = headers.first, first.starts(with: prefix),
            let changed = comments.adding(to: first.dropFirst(prefix.count), picturesAreComments: true)
        {
            headers[0] = prefix + changed
        }
        // FNV-1a.
        serial = (headers.first ?? []).reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let pages = OggPage.holding(headers, after: page).map { $0.renumbered(by: 0, serial) }
        // Page 1 is the first replaced page.
        added = pages.count - pageCount
        return (first?.renumbered(by: 0, serial).bytes ?? []) + pages.flatMap(\.bytes)
    }
}

/// A page of an Ogg stream (RFC 3533, 6).
struct OggPage {
    private(set) var bytes: [UInt8]

    struct Piece {
        let bytes: ArraySlice<UInt8>
        /// Whether the packet ends with this piece.
        let isEnd: Bool
    }

    private static let headSize = 27
    var size: Int { bytes.count }

    /// Returns nil if the page is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headSize else { return nil }
        let count = Int(bytes[bytes.startIndex + 26])
        guard bytes.count >= Self.headSize + count else { return nil }
        let sizes = bytes.dropFirst(Self.headSize).prefix(count)
        let size = Self.headSize + count + sizes.reduce(0) { $0 + Int($1) }
        guard bytes.count >= size else { return nil }
        self.bytes = Array(bytes.prefix(size))
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The complete or partial packets in the page.
    var pieces: [Piece] {
        let sizes = bytes[Self.headSize..<Self.headSize + Int(bytes[26])]
        var position = Self.headSize + sizes.count
        var pieces: [Piece] = []
        var begin = position
        for size in sizes {
            position += Int(size)
            guard size < 255 else { continue }
            pieces.append(Piece(bytes: bytes[begin..<position], isEnd: true))
            begin = position
        }
        if begin < position { pieces.append(Piece(bytes: bytes[begin..<position], isEnd: false)) }
        return pieces
    }

    /// Creates pages, numbered from 1, that contain these complete header packets.
    ///
    /// - Parameter last: a page of the same stream.
    static func holding(_ packets: [[UInt8]], after last: OggPage) -> [OggPage] {
        var sizes: [UInt8] = []
        for packet in packets {
            sizes += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        var content = packets.flatMap { $0 }[...]
        var pages: [OggPage] = []
        var isContinued = false
        for start in stride(from: 0, to: sizes.count, by: 255) {
            let table = sizes[start..<min(start + 255, sizes.count)]
            let count = table.reduce(0) { $0 + Int($1) }
            var head = Array(last.bytes[..<headSize])
            head[5] = isContinued ? 1 : 0
            // Header pages have the granule position 0, or -1 if no packet ends on the page.
            let position: UInt8 = table.contains { $0 < 255 } ? 0 : 0xFF
            for index in 6..<14 { head[index] = position }
            head[26] = UInt8(table.count)
            var page = OggPage(head + table + content.prefix(count))
            page.number = pages.count + 1
            pages.append(page)
            content = content.dropFirst(count)
            isContinued = table.last == 255
        }
        return pages
    }

    /// Returns a copy with a shifted page number and a different serial number.
    func renumbered(by added: Int, _ serial: UInt32) -> OggPage {
        var page = self
        page.number += added
        for index in 0..<4 { page.bytes[14 + index] = UInt8(truncatingIfNeeded: serial >> (8 * index)) }
        return page.summed
    }

    private var number: Int {
        get { bytes[18..<22].reversed().reduce(0) { $0 << 8 | Int($1) } }
        set { for index in 0..<4 { bytes[18 + index] = UInt8(truncatingIfNeeded: newValue >> (8 * index)) } }
    }

    /// A copy with its checksum set.
    private var summed: OggPage {
        var page = self
        for index in 22..<26 { page.bytes[index] = 0 }
        let sum = page.bytes.reduce(UInt32(0)) { sum, byte in
            sum << 8 ^ Self.sums[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)]
        }
        for index in 0..<4 { page.bytes[22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
        return page
    }

    /// The CRC-32 table for the polynomial 0x04C11DB7, not reflected.
    private static let sums: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
    }
}
