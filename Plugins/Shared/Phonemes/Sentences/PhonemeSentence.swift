/// One sentence as symbols, with their places in the text.
package struct PhonemeSentence: Equatable, Sendable {
    /// Symbols that come from one range of the text.
    package struct Clause: Equatable, Sendable {
        /// In `scalars`.
        package var symbols: Range<Int>
        /// In the UTF-8 of the text.
        package var bytes: Range<Int>
        /// Whether the text itself is phonemes.
        package var isVerbatim = false
    }

    /// Phonemes, stress marks, punctuation and spaces in spoken order, one code point each.
    package var scalars: [Unicode.Scalar] = []
    /// In order. Every symbol is in one of them, except spaces between two.
    package var clauses: [Clause] = []

    package init() {}

    /// In the UTF-8 of the text.
    package var bytes: Range<Int> {
        guard let first = clauses.first, let last = clauses.last else { return 0..<0 }
        return first.bytes.lowerBound..<max(first.bytes.lowerBound, last.bytes.upperBound)
    }

    /// Whether it has nothing but punctuation and spaces, for which the model need not run.
    package var isSilent: Bool {
        !scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    mutating func append(_ symbols: [Unicode.Scalar], from bytes: Range<Int>, isVerbatim: Bool = false) {
        let start = scalars.count
        scalars += symbols
        clauses.append(Clause(symbols: start..<scalars.count, bytes: bytes, isVerbatim: isVerbatim))
    }

    /// Appends another sentence.
    mutating func append(_ other: PhonemeSentence) {
        let shift = scalars.count
        scalars += other.scalars
        clauses += other.clauses.map {
            Clause(
                symbols: $0.symbols.lowerBound + shift..<$0.symbols.upperBound + shift, bytes: $0.bytes,
                isVerbatim: $0.isVerbatim)
        }
    }

    /// The part of the sentence with these symbols.
    package func part(_ range: Range<Int>) -> PhonemeSentence {
        var part = PhonemeSentence()
        part.scalars = Array(scalars[range])
        for var clause in clauses where clause.symbols.overlaps(range) {
            let kept = clause.symbols.clamped(to: range)
            clause.symbols = kept.lowerBound - range.lowerBound..<kept.upperBound - range.lowerBound
            part.clauses.append(clause)
        }
        return part
    }
}
