/// How much two readings of a word differ.
enum SoundDistance {
    /// The reading with the fewest changes to what was spoken, of two alike the first.
    static func nearest(to spoken: [Unicode.Scalar], of readings: [String]) -> String? {
        let spoken = comparable(spoken)
        var best: (reading: String, distance: Int)?
        for reading in readings {
            let distance = between(spoken, comparable(Array(reading.unicodeScalars)))
            if distance < best?.distance ?? .max { best = (reading, distance) }
        }
        return best?.reading
    }

    /// Without the marks of stress.
    static func plain(_ reading: String) -> String { reading.filter { $0 != "ˈ" && $0 != "ˌ" } }

    private static func comparable(_ symbols: [Unicode.Scalar]) -> [Unicode.Scalar] {
        symbols.filter { $0 != "ˌ" }.map { $0 == "ɾ" ? "T" : $0 == "ᵻ" ? "ə" : $0 }
    }

    /// Symbols to put in, to take out or to change.
    private static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (line, symbol) in left.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for column in right.indices {
                let change = corner + (symbol == right[column] ? 0 : 1)
                corner = row[column + 1]
                row[column + 1] = min(change, corner + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
