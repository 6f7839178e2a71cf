extension AddedWeights {
    /// Writes the numbers to their places in the file. Many are computed for that, so it is done on several threads.
    func write(to path: String, threads: Int) throws(DiskFile.Failure) {
        let pieces = pieces
        let others = (1..<max(1, threads)).map { number in
            WorkResult { Self.written(pieces, every: threads, from: number, to: path) }
        }
        let results = [Self.written(pieces, every: max(1, threads), from: 0, to: path)] + others.map(\.value)
        for result in results { try result.get() }
    }

    private static func written(
        _ pieces: [Piece], every step: Int, from first: Int, to path: String
    ) -> Result<Void, DiskFile.Failure> {
        Result { () throws(DiskFile.Failure) in
            let file = try DiskFile(changing: path)
            for number in stride(from: first, to: pieces.count, by: step) {
                let piece = pieces[number]
                try piece.numbers.withBytes { (bytes) throws(DiskFile.Failure) in
                    try file.write(bytes, at: piece.position)
                }
            }
        }
    }
}
