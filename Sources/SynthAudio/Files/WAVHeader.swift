/// The header before 16-bit PCM data: a RIFF chunk with a `fmt ` and a `data` chunk (Multimedia Programming Interface and
/// Data Specifications 1.0, IBM and Microsoft, 1991) and, if there are tags, a `LIST` chunk.
///
/// Except in a stream, a `JUNK` chunk reserves space for 64-bit sizes. If the file grows larger than 4 GiB, this chunk
/// becomes the `ds64` chunk of RF64 (EBU Tech 3306).
struct WAVHeader {
    /// The maximum size of a RIFF file, excluding its first eight bytes.
    static let largestRIFF = Int(UInt32.max)

    var format: AudioFormat
    /// The number of audio bytes, or nil for a stream of unknown length.
    var dataSize: Int?
    var tags = SoundFileTags.none
    /// The file size, excluding the first eight bytes, above which a file is converted to RF64.
    var riffLimit = WAVHeader.largestRIFF

    var bytesPerFrame: Int { format.channels * 2 }

    /// The header size in bytes. It depends only on the tags and on whether this is a stream.
    var size: Int { 44 + (dataSize == nil ? 0 : 8 + Self.longSizes) + (list.isEmpty ? 0 : 8 + list.count) }

    var bytes: [UInt8] {
        let list = list
        let size = size
        let riffSize = dataSize.map { $0 + size - 8 }
        let isLong = riffSize.map { $0 > riffLimit } ?? false
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        func append(_ text: StaticString) {
            text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }
        func append<Value: FixedWidthInteger>(_ value: Value) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func appendSize(_ size: Int?) {
            append(isLong ? .max : size.map { UInt32(clamping: $0) } ?? .max)
        }
        append(isLong ? "RF64" : "RIFF")
        appendSize(riffSize)
        append("WAVE")
        if let riffSize, let dataSize {
            append(isLong ? "ds64" : "JUNK")
            append(UInt32(clamping: Self.longSizes))
            for long in [riffSize, dataSize, dataSize / bytesPerFrame] { append(isLong ? UInt64(clamping: long) : 0) }
            append(UInt32(0))
        }
        append("fmt ")
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(clamping: format.channels))
        append(UInt32(clamping: format.sampleRate))
        append(UInt32(clamping: format.sampleRate * bytesPerFrame))
        append(UInt16(clamping: bytesPerFrame))
        append(UInt16(16))
        if !list.isEmpty {
            append("LIST")
            append(UInt32(clamping: list.count))
            bytes += list
        }
        append("data")
        appendSize(dataSize)
        return bytes
    }

    /// The size in bytes of the chunk that stores 64-bit sizes.
    private static let longSizes = 28

    private var list: [UInt8] {
        if tags.isEmpty { return [] }
        return Array("INFO".utf8) + Self.entry("INAM", tags.title) + Self.entry("IART", tags.author)
            + Self.entry("IPRD", tags.album) + Self.entry("ITRK", tags.track.map { String($0.number) })
    }

    /// Returns a chunk that contains a tag's text, terminated with a NUL and padded to an even length.
    private static func entry(_ id: String, _ text: String?) -> [UInt8] {
        guard let text else { return [] }
        let bytes = Array(text.utf8) + [0]
        let size = withUnsafeBytes(of: UInt32(clamping: bytes.count).littleEndian) { Array($0) }
        return Array(id.utf8) + size + bytes + (bytes.count % 2 == 0 ? [] : [0])
    }
}
