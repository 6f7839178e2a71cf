import EngineKit
import Synchronization
import SynthInference

/// A file with the style vectors of one or more voices, in any published format.
///
/// * raw: little-endian float32, [rows, 1, 256], one voice;
/// * raw: several concatenated voices, named in the model's metadata;
/// * `.npz`: a zip archive with one NumPy array per voice;
/// * `.npy`: a single NumPy array.
struct StyleFile {
    /// The contents of a raw file, as declared in a model's metadata: the voice names and the number of rows per voice.
    struct Contents: Sendable {
        var names: [String]
        var rowCount: Int
    }

    private static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let emptyZipMark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// - Parameters:
    ///   - voice: The voice's name, for files with several voices.
    ///   - contents: The contents of a raw file with several voices.
    static func table(at path: String, voice: String, contents: Contents?) throws(EngineError) -> StyleTable {
        let file: MappedFile
        do {
            file = try MappedFile(path)
        } catch {
            throw KokoroFailure.style("is empty or cannot be read", of: voice)
        }
        let bytes = file.bytes
        if bytes.starts(with: zipMark) || bytes.starts(with: emptyZipMark) {
            return try NumPyArchive.table(at: path, voice: voice)
        }
        if bytes.starts(with: NumPyArray.mark) { return try NumPyArray.table(bytes, of: voice) }
        if bytes.first == UInt8(ascii: "<") { throw KokoroFailure.style("is a web page, not a voice", of: voice) }
        return try raw(bytes, voice, contents)
    }

    private static func raw(
        _ bytes: UnsafeRawBufferPointer, _ voice: String, _ contents: Contents?
    ) throws(EngineError) -> StyleTable {
        let rowSize = StyleTable.width * MemoryLayout<Float>.size
        let (rowCount, rest) = bytes.count.quotientAndRemainder(dividingBy: rowSize)
        if rest == 0, [StyleTable.publishedRows, StyleTable.firstRows].contains(rowCount) {
            return try StyleTable(numbers: NumPyArray.floats(bytes[...]), of: voice)
        }
        // Both numbers come from the model's metadata, so the product may overflow.
        if let contents, contents.rowCount > 0,
            let size = product(contents.rowCount, rowSize), product(contents.names.count, size) == bytes.count
        {
            guard let index = contents.names.firstIndex(of: voice) else {
                throw KokoroFailure.unknown(voice, among: contents.names)
            }
            return try StyleTable(numbers: NumPyArray.floats(bytes[index * size..<(index + 1) * size]), of: voice)
        }
        let right = StyleTable.publishedRows * rowSize
        throw KokoroFailure.style("has \(bytes.count) bytes; the file of a single voice has \(right)", of: voice)
    }

    /// The product of two numbers; `nil` if it overflows.
    private static func product(_ left: Int, _ right: Int) -> Int? {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? nil : product
    }
}

/// The most recently used style tables, half a megabyte each.
final class StyleCache: Sendable {
    private struct Item {
        var key: String
        var table: StyleTable
    }

    private static let limit = 8

    private let contents: StyleFile.Contents?
    private let items = Mutex<[Item]>([])

    init(contents: StyleFile.Contents?) {
        self.contents = contents
    }

    func table(of voice: VoiceUse) throws(EngineError) -> StyleTable {
        let path = try voice.files.path(KokoroRole.style)
        // If a file that the user adds has an ID that is already in the registry, the store appends this suffix to the
        // ID. Names in an archive do not have the suffix.
        let name = voice.speaker ?? (voice.id.hasSuffix("-own") ? String(voice.id.dropLast(4)) : voice.id)
        // A path cannot contain a NUL byte.
        let key = path + "\0" + name
        let kept: StyleTable? = items.withLock { items in
            guard let index = items.firstIndex(where: { $0.key == key }) else { return nil }
            let item = items.remove(at: index)
            items.append(item)
            return item.table
        }
        if let kept { return kept }
        let table = try StyleFile.table(at: path, voice: name, contents: contents)
        items.withLock { items in
            items.append(Item(key: key, table: table))
            if items.count > Self.limit { items.removeFirst() }
        }
        return table
    }
}

/// A voice's style vectors, one row per run length in tokens.
struct StyleTable: Sendable {
    /// The length of a style vector.
    static let width = 256
    /// The number of rows in published voices.
    static let publishedRows = 510
    /// The number of rows per voice in release 0.19, whose symbols differ from those of later releases.
    static let firstRows = 511

    let rowCount: Int
    private let numbers: [Float]

    /// - Parameter voice: The voice's name, for error messages.
    init(numbers: [Float], of voice: String) throws(EngineError) {
        guard !numbers.isEmpty, numbers.count % Self.width == 0 else {
            throw KokoroFailure.style(
                "has \(numbers.count) numbers, which is not a multiple of \(Self.width)", of: voice)
        }
        guard numbers.count != Self.firstRows * Self.width else {
            throw KokoroFailure.style(
                "is for Kokoro 0.19, whose symbol set differs from the one in Kokoro 1.0; this engine supports only Kokoro 1.0",
                of: voice)
        }
        guard numbers.allSatisfy(\.isFinite) else {
            throw KokoroFailure.style("contains values that are not finite numbers", of: voice)
        }
        self.numbers = numbers
        rowCount = numbers.count / Self.width
    }

    /// Returns the row for a run of `count` tokens, not counting pads; the last row if there are more tokens than rows.
    func row(forTokens count: Int) -> ArraySlice<Float> {
        let row = min(max(count, 0), rowCount - 1)
        return numbers[row * Self.width..<(row + 1) * Self.width]
    }

    /// Returns the weighted sum of the voices' rows. The tables may have different numbers of rows.
    static func blend(_ voices: [(table: StyleTable, weight: Float)], forTokens count: Int) -> [Float] {
        if let voice = voices.first, voices.count == 1, voice.weight == 1 {
            return Array(voice.table.row(forTokens: count))
        }
        var sum = [Float](repeating: 0, count: width)
        for voice in voices {
            for (index, number) in voice.table.row(forTokens: count).enumerated() {
                sum[index] += voice.weight * number
            }
        }
        return sum
    }
}
