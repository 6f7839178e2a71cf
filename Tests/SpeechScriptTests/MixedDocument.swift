import TestNumbers

/// Documents that are almost valid.
enum MixedDocument {
    /// Returns several of the pieces, inserted into each other, with some characters removed.
    static func of(_ pieces: [String], with random: inout SeededRandom) -> [UInt8] {
        var document = Array((pieces.randomElement(using: &random) ?? "").unicodeScalars)
        for _ in 0..<Int.random(in: 1...10, using: &random) {
            let place = Int.random(in: 0...document.count, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0, place < document.count {
                document.remove(at: place)
            } else {
                let piece = pieces.randomElement(using: &random) ?? ""
                document.insert(contentsOf: Array(piece.unicodeScalars), at: place)
            }
        }
        return document.flatMap { Array(String($0).utf8) }
    }
}
