extension AddedWeights {
    /// Writes the numbers to their places in the files, each on a thread of its own: many are computed for that, and a file takes
    /// from one writer at a time.
    ///
    /// - Parameter path: Of a file, by its number.
    func write(to path: (Int) -> String) throws(DiskFile.Failure) {
        let parts = (0..<fileCount).map { file in (pieces: pieces.filter { $0.file == file }, path: path(file)) }
        let others = parts.dropFirst().map { part in WorkResult { Self.write(part.pieces, to: part.path) } }
        let results = parts.prefix(1).map { Self.write($0.pieces, to: $0.path) } + others.map(\.value)
        for result in results { try result.get() }
    }

    private static func write(_ pieces: [Piece], to path: String) -> Result<Void, DiskFile.Failure> {
        Result { () throws(DiskFile.Failure) in
            let file = try DiskFile(writing: path)
            let scratch = UnsafeMutableBufferPointer<Float>.allocate(
                capacity: pieces.map(\.numbers.longestStrip).max() ?? 0)
            defer { scratch.deallocate() }
            for piece in pieces {
                try piece.numbers.forEach(in: scratch) { (offset, bytes) throws(DiskFile.Failure) in
                    try file.write(bytes, at: piece.position + UInt64(offset))
                }
            }
        }
    }
}
