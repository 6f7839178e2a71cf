/// A sentence as symbols, with their positions in the text.
package struct PhonemeSentence: Equatable, Sendable {
    /// Symbols for the same range of the text.
    package struct Clause: Equatable, Sendable {
        /// The range in `scalars`.
        package var symbols: Range<Int>
        /// The clause's UTF-8 range in the text.
        package var bytes: Range<Int>
        /// Whether the clause is written as phonemes in the text.
        package var isVerbatim = false
    }

    /// Phonemes, stress marks, punctuation and spaces in spoken order, one code point each.
    package var scalars: [Unicode.Scalar] = []
    /// The clauses in order. They contain every symbol except the spaces between clauses.
    package var clauses: [Clause] = []

    package init() {}

    /// The sentence's UTF-8 range in the text.
    package var bytes: Range<Int> {
        guard let first = clauses.first, let last = clauses.last else { return 0..<0 }
        return first.bytes.lowerBound..<max(first.bytes.lowerBound, last.bytes.upperBound)
    }

    /// Whether the sentence consists only of punctuation and spaces, in which case the model need not run.
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

    /// Returns the part of the sentence with this range of symbols.
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

    /// Cuts a sentence into parts of at most `limit` symbols: after a comma if possible, otherwise at a space, otherwise
    /// at the limit.
    ///
    /// A model's memory use grows with the length of a run, and a sentence may have any length.
    ///
    /// - Returns: Ranges of `scalars` in order, without the spaces at cuts.
    package func cuts(atMost limit: Int) -> [Range<Int>] {
        var cuts: [Range<Int>] = []
        var start = 0
        while limit > 0, scalars.count - start > limit {
            let window = scalars[start..<start + limit]
            // Avoid early cuts, which would lead to many short parts.
            let late = window.dropFirst(limit / 3)
            let end =
                late.lastIndex { $0 == "," || $0 == ";" || $0 == ":" }.map { $0 + 1 }
                ?? late.lastIndex(of: " ") ?? window.endIndex
            cuts.append(start..<end)
            start = end
            while start < scalars.count, scalars[start] == " " { start += 1 }
        }
        if start < scalars.count { cuts.append(start..<scalars.count) }
        return cuts
    }
}

/// An error from converting text to phonemes, or from converting phonemes to a voice's symbols.
package enum PhonemeError: Error, Equatable, CustomStringConvertible {
    /// libespeak-ng does not start, usually because its data is not installed.
    case espeakMissing
    case unknownVoice(String)
    /// A voice's phoneme map lacks a required symbol.
    case missingSymbol(String)
    /// The IPA contains a character for which no voice has even a similar phoneme.
    case unknownSound(Unicode.Scalar, in: String)

    /// What went wrong and how to fix it.
    package var description: String {
        switch self {
        case .espeakMissing: "eSpeak NG cannot be initialized; install its data with: sudo apt install espeak-ng-data"
        case .unknownVoice(let name): "eSpeak NG has no voice \"\(name)\". Install a newer espeak-ng."
        case .missingSymbol(let symbol): "The voice's phoneme map has no \"\(symbol)\"."
        case .unknownSound(let sign, let ipa): "eSpeak NG has no pronunciation for \"\(sign)\" in /\(ipa)/."
        }
    }
}

// This import provides the standard library's own tables. Foundation has a stable API for the same purpose, but loading
// it takes longer than everything else that an engine does before its first audio.
@_spi(_Unicode) import Swift

extension StringProtocol {
    /// The canonical decomposition (NFD): `ç` becomes `c` and a combining cedilla.
    var decomposed: [Unicode.Scalar] {
        Array(String(self)._nfd)
    }
}
