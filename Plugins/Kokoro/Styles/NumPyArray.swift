/// An array as NumPy stores it: magic bytes, a header in Python's notation, the numbers.
///
/// The format is that of NumPy's `numpy.lib.format`, versions 1 to 3.
enum NumPyArray {
    static let mark: [UInt8] = [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]
    /// The largest array that is a voice: a header and 1024 rows.
    static let sizeLimit = 1 << 16 + 1024 * StyleTable.width * MemoryLayout<Float>.size

    /// A table of the shape [rows, 1, 256] or [rows, 256], in either order.
    static func table(_ bytes: UnsafeRawBufferPointer) throws(StyleTable.Failure) -> StyleTable {
        let (header, content) = try split(bytes)
        guard header.contains("'<f4'") || header.contains("\"<f4\"") else {
            throw StyleTable.Failure(description: "holds other numbers than little-endian float32")
        }
        guard let shape = shape(header), let rowCount = rowCount(shape) else {
            throw StyleTable.Failure(description: "holds an array of another shape than [rows, 1, \(StyleTable.width)]")
        }
        guard content.count == rowCount * StyleTable.width * MemoryLayout<Float>.size else {
            throw StyleTable.Failure(description: "holds \(content.count) bytes where its shape promises others")
        }
        let numbers = floats(content)
        let isByColumn = header.replacing(" ", with: "").contains("fortran_order':True")
        return try StyleTable(numbers: isByColumn ? transposed(numbers, rowCount) : numbers)
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
        _ bytes: UnsafeRawBufferPointer
    ) throws(StyleTable.Failure) -> (header: String, content: Slice<UnsafeRawBufferPointer>) {
        let cut = StyleTable.Failure(description: "holds a NumPy array that is cut or of an unknown version")
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

    /// The numbers between the brackets of `'shape': (510, 1, 256)`.
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
