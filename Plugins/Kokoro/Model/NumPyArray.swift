import CSynthArchive
import EngineKit

/// An array in NumPy's file format: magic bytes, a header in Python syntax, and the numbers.
///
/// The format is documented in NumPy's `numpy.lib.format`, versions 1 to 3.
enum NumPyArray {
    static let mark: [UInt8] = [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]
    /// The maximum size of a voice's array: a header and 1024 rows.
    static let sizeLimit = 1 << 16 + 1024 * StyleTable.width * MemoryLayout<Float>.size

    /// Reads a table of shape [rows, 1, 256] or [rows, 256], in either memory order.
    ///
    /// - Parameter voice: The voice's name, for error messages.
    static func table(_ bytes: UnsafeRawBufferPointer, of voice: String) throws(EngineError) -> StyleTable {
        let (header, content) = try split(bytes, of: voice)
        guard header.contains("'<f4'") || header.contains("\"<f4\"") else {
            throw KokoroFailure.style("contains an array that is not little-endian float32", of: voice)
        }
        guard let shape = shape(header), let rowCount = rowCount(shape) else {
            throw KokoroFailure.style(
                "contains an array whose shape is not [rows, 1, \(StyleTable.width)]", of: voice)
        }
        guard content.count == rowCount * StyleTable.width * MemoryLayout<Float>.size else {
            throw KokoroFailure.style(
                "contains an array of \(content.count) bytes, which does not match the array's shape", of: voice)
        }
        let numbers = floats(content)
        let isByColumn = header.replacing(" ", with: "").contains("fortran_order':True")
        return try StyleTable(numbers: isByColumn ? transposed(numbers, rowCount) : numbers, of: voice)
    }

    static func floats(_ bytes: Slice<UnsafeRawBufferPointer>) -> [Float] {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes)
        return (0..<bytes.count / MemoryLayout<Float>.size).map { index in
            let bits = bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.size, as: UInt32.self)
            return Float(bitPattern: UInt32(littleEndian: bits))
        }
    }

    private static func transposed(_ numbers: [Float], _ rowCount: Int) -> [Float] {
        var result = numbers
        for row in 0..<rowCount {
            for column in 0..<StyleTable.width {
                result[row * StyleTable.width + column] = numbers[column * rowCount + row]
            }
        }
        return result
    }

    private static func split(
        _ bytes: UnsafeRawBufferPointer, of voice: String
    ) throws(EngineError) -> (header: String, content: Slice<UnsafeRawBufferPointer>) {
        let cut = KokoroFailure.style("contains a NumPy array that is truncated or has an unknown version", of: voice)
        guard bytes.starts(with: mark), bytes.count > 12 else { throw cut }
        let lengthSize: Int
        switch bytes[6] {
        case 1: lengthSize = 2
        case 2, 3: lengthSize = 4
        default: throw cut
        }
        var length = 0
        for index in (0..<lengthSize).reversed() { length = length << 8 | Int(bytes[8 + index]) }
        let start = 8 + lengthSize
        guard length <= bytes.count - start else { throw cut }
        return (String(decoding: bytes[start..<start + length], as: UTF8.self), bytes[(start + length)...])
    }

    /// Returns the dimensions, such as 510, 1 and 256 for `'shape': (510, 1, 256)`.
    private static func shape(_ header: String) -> [Int]? {
        guard let name = header.firstRange(of: "shape"),
            let open = header[name.upperBound...].firstIndex(of: "("),
            let close = header[open...].firstIndex(of: ")")
        else { return nil }
        var shape: [Int] = []
        for part in header[header.index(after: open)..<close].split(separator: ",") {
            guard let size = Int(part.filter { $0 != " " }), size >= 0 else { return nil }
            shape.append(size)
        }
        return shape
    }

    private static func rowCount(_ shape: [Int]) -> Int? {
        guard let rows = shape.first, (1...1024).contains(rows), shape.last == StyleTable.width else { return nil }
        return shape.count == 2 || shape.count == 3 && shape[1] == 1 ? rows : nil
    }
}

/// A zip archive of NumPy arrays (`.npz`), one per voice, stored or compressed.
enum NumPyArchive {
    /// Returns the array with the voice's name. If the archive contains only one array, its name is ignored.
    static func table(at path: String, voice: String) throws(EngineError) -> StyleTable {
        let damaged = KokoroFailure.style("is a damaged archive", of: voice)
        guard let archive = archive_read_new() else { throw damaged }
        defer { archive_read_free(archive) }
        guard archive_read_support_format_zip(archive) == ARCHIVE_OK,
            archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK
        else { throw damaged }

        var names: [String] = []
        var only: [UInt8] = []
        while let entry = try nextEntry(archive, or: damaged) {
            guard let path = archive_entry_pathname(entry) else { continue }
            let name = String(cString: path)
            guard name.hasSuffix(".npy") else { continue }
            names.append(String(name.dropLast(4)))
            let isWanted = names.last == voice
            guard isWanted || names.count == 1 else { continue }
            only = try content(archive, or: damaged)
            guard only.count <= NumPyArray.sizeLimit else {
                throw KokoroFailure.style("contains an array that is too large for a voice", of: voice)
            }
            if isWanted { return try parse(only, of: voice) }
        }
        guard !names.isEmpty else { throw KokoroFailure.style("is an archive without NumPy arrays", of: voice) }
        guard names.count == 1 else { throw KokoroFailure.unknown(voice, among: names) }
        return try parse(only, of: voice)
    }

    private static func parse(_ bytes: [UInt8], of voice: String) throws(EngineError) -> StyleTable {
        let table = bytes.withUnsafeBytes { bytes in
            Result { () throws(EngineError) in try NumPyArray.table(bytes, of: voice) }
        }
        return try table.get()
    }

    private static func nextEntry(
        _ archive: OpaquePointer, or damaged: EngineError
    ) throws(EngineError) -> OpaquePointer? {
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_EOF: return nil
        case ARCHIVE_OK, ARCHIVE_WARN: return entry
        default: throw damaged
        }
    }

    /// Returns the content of the current entry, truncated if it is too large.
    private static func content(_ archive: OpaquePointer, or damaged: EngineError) throws(EngineError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = archive_read_data(archive, &piece, piece.count)
            // This call also reports a checksum mismatch.
            guard count >= 0 else { throw damaged }
            bytes += piece.prefix(count)
            if count == 0 || bytes.count > NumPyArray.sizeLimit { return bytes }
        }
    }
}
