import ONNXInference

/// A file with the style vectors of one or several voices, in any published format.
///
/// * raw: little-endian float32, [rows, 1, 256], one voice;
/// * raw, several voices one after the other, which the model's metadata names;
/// * `.npz`: a zip archive with one NumPy array for each voice;
/// * `.npy`: one such array.
struct StyleFile {
    /// What a model's metadata says about its raw file: the names of the voices in it and the rows of each.
    struct Contents: Sendable {
        var names: [String]
        var rowCount: Int
    }

    private static let zipMark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    private static let emptyZipMark: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// - Parameters:
    ///   - voice: Its name in a file that holds several.
    ///   - contents: For a raw file that holds several.
    static func table(
        at path: String, voice: String, contents: Contents?
    ) throws(StyleTable.Failure) -> StyleTable {
        let file: MappedFile
        do throws(InferenceError) {
            file = try MappedFile(path)
        } catch {
            throw StyleTable.Failure(description: "is empty or cannot be read")
        }
        let bytes = file.bytes
        if bytes.starts(with: zipMark) || bytes.starts(with: emptyZipMark) {
            return try NumPyArchive.table(at: path, voice: voice)
        }
        if bytes.starts(with: NumPyArray.mark) { return try NumPyArray.table(bytes) }
        if bytes.first == UInt8(ascii: "<") { throw StyleTable.Failure(description: "is a web page, not a voice") }
        return try raw(bytes, voice, contents)
    }

    private static func raw(
        _ bytes: UnsafeRawBufferPointer, _ voice: String, _ contents: Contents?
    ) throws(StyleTable.Failure) -> StyleTable {
        let rowSize = StyleTable.width * MemoryLayout<Float>.size
        let (rowCount, rest) = bytes.count.quotientAndRemainder(dividingBy: rowSize)
        if rest == 0, [StyleTable.publishedRows, StyleTable.firstRows].contains(rowCount) {
            return try StyleTable(numbers: NumPyArray.floats(bytes[...]))
        }
        // Both numbers come from the model's metadata, so their product may overflow.
        if let contents, contents.rowCount > 0,
            let size = product(contents.rowCount, rowSize), product(contents.names.count, size) == bytes.count
        {
            guard let index = contents.names.firstIndex(of: voice) else {
                throw StyleTable.Failure.unknown(voice, among: contents.names)
            }
            return try StyleTable(numbers: NumPyArray.floats(bytes[index * size..<(index + 1) * size]))
        }
        let right = StyleTable.publishedRows * rowSize
        throw StyleTable.Failure(description: "has \(bytes.count) bytes; that of one voice has \(right)")
    }

    /// `nil` if it overflows.
    private static func product(_ left: Int, _ right: Int) -> Int? {
        let (product, overflows) = left.multipliedReportingOverflow(by: right)
        return overflows ? nil : product
    }
}
