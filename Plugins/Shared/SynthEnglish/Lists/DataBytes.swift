import CSynthEnglish
import EngineKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The location of the word lists and neural networks: `english.words`, `english.tags` and `english.sounds`.
package enum EnglishData: Sendable {
    /// The data is embedded in the program, because an engine may open only the files of its voice.
    case builtIn
    case folder(String)

    package func file(_ name: String) throws -> DataBytes {
        switch self {
        case .folder(let folder): return try DataBytes(path: "\(folder)/\(name)")
        case .builtIn:
            let file = synth_english_file(name)
            guard let bytes = file.bytes else { throw DataBytes.failure(name, "is not built into the engine") }
            return DataBytes(FixedBytes(ofProgram: UnsafeBufferPointer(start: bytes, count: file.size)), path: name)
        }
    }
}

/// Immutable bytes, either in an array or in the program image. Bytes in the program image are not copied.
package struct FixedBytes: Sendable {
    private let array: [UInt8]
    /// The memory never changes, and remains valid until the process exits.
    private nonisolated(unsafe) let program: UnsafeBufferPointer<UInt8>?

    init(_ array: [UInt8]) {
        self.array = array
        program = nil
    }

    /// - Parameter program: Constant data in the program image, which is never freed.
    init(ofProgram program: UnsafeBufferPointer<UInt8>) {
        array = []
        self.program = program
    }

    package var count: Int { program?.count ?? array.count }

    /// Calls `body` with a pointer that is valid during the call.
    package func withUnsafeBufferPointer<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let program { return try body(program) }
        return try array.withUnsafeBufferPointer(body)
    }

    /// A range of the bytes. Bytes in the program image are not copied.
    ///
    /// - Parameter range: A range within the bytes.
    subscript(range: Range<Int>) -> FixedBytes {
        if let program { return FixedBytes(ofProgram: UnsafeBufferPointer(rebasing: program[range])) }
        return FixedBytes(Array(array[range]))
    }

    package var copy: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

/// A data file's bytes, read sequentially. Every read is bounds-checked.
package struct DataBytes {
    let path: String
    package let bytes: FixedBytes
    private(set) var position = 0

    static let sizeLimit = 16 << 20

    /// Returns the error for a missing or damaged data file.
    static func failure(_ path: String, _ reason: String) -> EngineError {
        EngineError(.failed, "The data file \(path) \(reason). Reinstall the engine.")
    }

    init(path: String) throws {
        guard let file = fopen(path, "rbe") else { throw Self.failure(path, "cannot be opened") }
        defer { fclose(file) }
        var information = stat()
        guard fstat(fileno(file), &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw Self.failure(path, "is not a file")
        }
        let size = Int(information.st_size)
        guard size <= Self.sizeLimit else { throw Self.failure(path, "is too large") }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = buffer.baseAddress.map { fread($0, 1, size, file) } ?? 0
        }
        guard bytes.count == size else { throw Self.failure(path, "cannot be read") }
        self.init(bytes, path: path)
    }

    package init(_ bytes: [UInt8], path: String) { self.init(FixedBytes(bytes), path: path) }

    init(_ bytes: FixedBytes, path: String) {
        self.bytes = bytes
        self.path = path
    }

    var damage: EngineError { Self.failure(path, "is damaged") }

    /// Skips the next `count` bytes and returns their range in `bytes`.
    mutating func skip(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= bytes.count - position else { throw damage }
        defer { position += count }
        return position..<position + count
    }

    mutating func byte() throws -> UInt8 {
        let place = try skip(1).lowerBound
        return bytes.withUnsafeBufferPointer { $0[place] }
    }

    /// Reads a 32-bit little-endian unsigned number.
    mutating func number() throws -> Int {
        let range = try skip(4)
        return bytes.withUnsafeBufferPointer {
            let number = UnsafeRawBufferPointer($0).loadUnaligned(fromByteOffset: range.lowerBound, as: UInt32.self)
            return Int(UInt32(littleEndian: number))
        }
    }

    mutating func text(_ count: Int) throws -> String {
        let range = try skip(count)
        let text = bytes.withUnsafeBufferPointer { String(validating: $0[range], as: UTF8.self) }
        guard let text else { throw damage }
        return text
    }

    /// Throws unless the file starts with these eight characters.
    mutating func expect(_ magic: String) throws {
        guard bytes.withUnsafeBufferPointer({ $0.starts(with: magic.utf8) }) else {
            throw Self.failure(path, "is not a file of type \(magic)")
        }
        position = magic.utf8.count
    }

    /// The sum of the 32-bit numbers from the current position to the end, and the sum of all intermediate sums, both modulo
    /// 2³². The last number is padded with zeros.
    package var sums: (Int, Int) {
        var (total, ofTotals): (UInt32, UInt32) = (0, 0)
        bytes.withUnsafeBufferPointer { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            func add(_ number: UInt32) {
                total &+= number
                ofTotals &+= total
            }
            let whole = bytes.count - (bytes.count - position) % 4
            for place in stride(from: position, to: whole, by: 4) {
                add(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            }
            if whole < bytes.count { add(bytes[whole...].reversed().reduce(0) { $0 << 8 | UInt32($1) }) }
        }
        return (Int(total), Int(ofTotals))
    }

    func expectEnd() throws {
        guard position == bytes.count else { throw damage }
    }
}
