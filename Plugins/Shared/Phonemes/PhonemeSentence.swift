/// What a model speaks in one go: symbols, and where in the text they come from.
package struct PhonemeSentence: Equatable, Sendable {
    /// A run of symbols that was made of one stretch of text.
    package struct Clause: Equatable, Sendable {
        /// In `scalars`.
        package var symbols: Range<Int>
        /// In the UTF-8 of the text.
        package var bytes: Range<Int>
        /// The text itself is the phonemes.
        package var isVerbatim = false
    }

    /// Phonemes, stress marks, punctuation and spaces in the order in which they sound, one code point each.
    package var scalars: [Unicode.Scalar] = []
    /// In order; every symbol is in one of them, but for spaces between two.
    package var clauses: [Clause] = []

    package init() {}

    /// In the UTF-8 of the text.
    package var bytes: Range<Int> {
        guard let first = clauses.first, let last = clauses.last else { return 0..<0 }
        return first.bytes.lowerBound..<max(first.bytes.lowerBound, last.bytes.upperBound)
    }

    /// Punctuation alone is not worth a run of the model.
    package var isSilent: Bool {
        !scalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    mutating func append(_ symbols: [Unicode.Scalar], from bytes: Range<Int>, isVerbatim: Bool = false) {
        let start = scalars.count
        scalars += symbols
        clauses.append(Clause(symbols: start..<scalars.count, bytes: bytes, isVerbatim: isVerbatim))
    }

    /// Puts another sentence behind this one.
    mutating func append(_ other: PhonemeSentence) {
        let shift = scalars.count
        scalars += other.scalars
        clauses += other.clauses.map {
            Clause(
                symbols: $0.symbols.lowerBound + shift..<$0.symbols.upperBound + shift, bytes: $0.bytes,
                isVerbatim: $0.isVerbatim)
        }
    }

    /// The part of a sentence that holds these symbols.
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
