/// The symbol IDs from a voice's configuration. IDs differ between voices.
package struct PhonemeIDMap: Sendable {
    private static let pad: [Unicode.Scalar] = ["_"]
    private static let begin: [Unicode.Scalar] = ["^"]
    private static let end: [Unicode.Scalar] = ["$"]

    /// Symbols that are replaced by two symbols if a voice lacks the single symbol.
    private static let ligatures: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ʤ": ["d", "ʒ"], "ʧ": ["t", "ʃ"], "ʦ": ["t", "s"], "ʣ": ["d", "z"], "ʨ": ["t", "ɕ"], "ʥ": ["d", "ʑ"],
        "ꭧ": ["ʈ", "ʂ"], "ꭦ": ["ɖ", "ʐ"], "ɝ": ["ɜ", "ɹ"], "g": ["ɡ"], "ɡ": ["g"],
    ]

    private let ids: [[Unicode.Scalar]: [Int64]]
    private let replacements: [Unicode.Scalar: [Unicode.Scalar]]
    private let clusters: Set<[Unicode.Scalar]>
    private let longestCluster: Int
    private let padding: [Int64]
    private let beginning: [Int64]
    private let ending: [Int64]

    /// - Parameters:
    ///   - ids: A voice's `phoneme_id_map`. If a symbol has several IDs, all of them are used.
    ///   - replacements: The `phoneme_map`, which maps symbols to their replacements.
    ///   - clusters: The `vowel_clusters`, symbol sequences that share an ID.
    package init(
        _ ids: [String: [Int64]], replacements: [String: [String]] = [:], clusters: [[String]] = []
    ) throws(PhonemeError) {
        var map: [[Unicode.Scalar]: [Int64]] = [:]
        for (symbol, numbers) in ids where !numbers.isEmpty { map[Array(symbol.unicodeScalars)] = numbers }
        func required(_ symbol: [Unicode.Scalar]) throws(PhonemeError) -> [Int64] {
            guard let numbers = map[symbol] else { throw .missingSymbol(String(String.UnicodeScalarView(symbol))) }
            return numbers
        }
        self.ids = map
        padding = try required(Self.pad)
        beginning = try required(Self.begin)
        ending = try required(Self.end)
        self.replacements = replacements.reduce(into: [:]) { map, pair in
            let symbol = Array(pair.key.unicodeScalars)
            if symbol.count == 1 { map[symbol[0]] = pair.value.flatMap { Array($0.unicodeScalars) } }
        }
        self.clusters = Set(clusters.map { $0.flatMap { Array($0.unicodeScalars) } }.filter { map[$0] != nil })
        longestCluster = self.clusters.map(\.count).max() ?? 1
    }

    /// Returns the IDs of a sentence, in the order used in training: begin, pad, each symbol followed by a pad, end.
    package func ids(of sentence: PhonemeSentence) -> PhonemeIDs {
        var result = PhonemeIDs()
        result.ids = beginning + padding
        var index = 0
        while index < sentence.scalars.count {
            let length = clusterLength(sentence.scalars, index)
            let symbols = index..<index + length
            index += length
            let start = result.ids.count
            let numbers =
                length > 1
                ? [ids[Array(sentence.scalars[symbols])] ?? []]
                : numbers(sentence.scalars[symbols.lowerBound], &result.unknown)
            for numbers in numbers { result.ids += numbers + padding }
            result.units.append(PhonemeIDs.Unit(symbols: symbols, ids: start..<result.ids.count))
        }
        result.ids += ending
        return result
    }

    private func clusterLength(_ scalars: [Unicode.Scalar], _ index: Int) -> Int {
        guard longestCluster > 1 else { return 1 }
        for length in stride(from: min(longestCluster, scalars.count - index), to: 1, by: -1)
        where clusters.contains(Array(scalars[index..<index + length])) {
            return length
        }
        return 1
    }

    /// Returns the IDs of a symbol or of its replacements.
    private func numbers(_ scalar: Unicode.Scalar, _ unknown: inout [Unicode.Scalar: Int]) -> [[Int64]] {
        (replacements[scalar] ?? [scalar]).flatMap { scalar -> [[Int64]] in
            if let numbers = ids[[scalar]] { return [numbers] }
            for form in [String(scalar).decomposed, Self.ligatures[scalar] ?? []] {
                let numbers = form.compactMap { ids[[$0]] }
                if !form.isEmpty, numbers.count == form.count { return numbers }
            }
            unknown[scalar, default: 0] += 1
            return []
        }
    }
}

/// A model's input for one sentence.
package struct PhonemeIDs: Equatable, Sendable {
    /// A symbol, or several symbols that the voice treats as one, with their IDs and the pad after them.
    package struct Unit: Equatable, Sendable {
        /// The range in the sentence's `scalars`.
        package var symbols: Range<Int>
        /// The range in `ids`.
        package var ids: Range<Int>
    }

    package var ids: [Int64] = []
    /// The units in order. They cover all of `ids` except the IDs for begin and end.
    package var units: [Unit] = []
    /// Symbols that the voice lacks, and the number of times that each was omitted.
    package var unknown: [Unicode.Scalar: Int] = [:]
}
