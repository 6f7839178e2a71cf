/// Tensor values that a rewritten graph adds in external weights files.
package struct AddedWeights {
    struct Piece: Sendable {
        let file: Int
        let position: UInt64
        let numbers: NewNumbers
    }

    /// The minimum size of a tensor in these files. Smaller tensors are stored in the graph, as in files written by
    /// ONNX Runtime.
    private static let least = 1024
    private static let alignment: UInt64 = 64

    /// The names by which the graph refers to the files.
    private let locations: [String]
    private(set) var pieces: [Piece] = []
    private var ends: [UInt64]

    /// - Parameter locations: The file names in the graph; empty to store all values in the graph.
    package init(locations: [String]) {
        self.locations = locations
        ends = locations.map { _ in 0 }
    }

    /// The number of files that contain data. These files come first.
    package var fileCount: Int { ends.count { $0 > 0 } }

    /// Adds values to the shortest file and returns their position. Returns `nil` if the values are to be stored in the
    /// graph.
    mutating func add(_ numbers: NewNumbers) -> (location: String, position: UInt64)? {
        guard numbers.byteCount >= Self.least, let file = ends.indices.min(by: { ends[$0] < ends[$1] }) else {
            return nil
        }
        let padding = (Self.alignment - ends[file] % Self.alignment) % Self.alignment
        let position = ends[file] + padding
        pieces.append(Piece(file: file, position: position, numbers: numbers))
        ends[file] = position + UInt64(numbers.byteCount)
        return (locations[file], position)
    }

    /// Writes the values with one thread per file, because many of them are computed only when they are written, and a
    /// file accepts only one writer at a time.
    ///
    /// - Parameter path: Returns a file's path, given its index.
    package func write(to path: (Int) -> String) throws {
        let parts = (0..<fileCount).map { file in (pieces: pieces.filter { $0.file == file }, path: path(file)) }
        let others = parts.dropFirst().map { part in WorkResult { Self.write(part.pieces, to: part.path) } }
        let results = parts.prefix(1).map { Self.write($0.pieces, to: $0.path) } + others.map(\.value)
        for result in results { try result.get() }
    }

    private static func write(_ pieces: [Piece], to path: String) -> Result<Void, any Error> {
        Result {
            let file = try DiskFile(writing: path)
            let scratch = UnsafeMutableBufferPointer<Float>.allocate(
                capacity: pieces.map(\.numbers.longestStrip).max() ?? 0)
            defer { scratch.deallocate() }
            for piece in pieces {
                try piece.numbers.forEach(in: scratch) { offset, bytes in
                    try file.write(bytes, at: piece.position + UInt64(offset))
                }
            }
        }
    }
}

/// Values created by a rewrite. They may be large, so they are written without copying.
package enum NewNumbers: Sendable {
    case floats([Float])
    case computed(ComputedFloats)
    case integers([Int64])

    var byteCount: Int {
        switch self {
        case .floats(let numbers): numbers.count * MemoryLayout<Float>.stride
        case .computed(let numbers): numbers.count * MemoryLayout<Float>.stride
        case .integers(let numbers): numbers.count * MemoryLayout<Int64>.stride
        }
    }

    /// Calls `body` with the bytes in the machine's byte order, which is little-endian, as ONNX requires.
    func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case .floats(let numbers): try Self.withBytes(numbers, body)
        case .computed(let numbers): try Self.withBytes(numbers.array, body)
        case .integers(let numbers): try Self.withBytes(numbers, body)
        }
    }

    /// The number of floats that `forEach` needs as scratch memory.
    var longestStrip: Int { if case .computed(let numbers) = self { numbers.longestStrip } else { 0 } }

    /// Passes the bytes to `body` in one or more pieces, each with its offset.
    ///
    /// - Parameter scratch: Memory for `longestStrip` floats.
    func forEach<Failure: Error>(
        in scratch: UnsafeMutableBufferPointer<Float>,
        _ body: (_ offset: Int, _ bytes: UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard case .computed(let numbers) = self else {
            return try withBytes { (bytes) throws(Failure) in try body(0, bytes) }
        }
        try numbers.forEach(in: scratch) { (place, floats) throws(Failure) in
            try body(place * MemoryLayout<Float>.stride, UnsafeRawBufferPointer(floats))
        }
    }

    private static func withBytes<Number: BitwiseCopyable, Value, Failure: Error>(
        _ numbers: [Number], _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = numbers.withUnsafeBytes { bytes in Result { () throws(Failure) in try body(bytes) } }
        return try result.get()
    }
}
