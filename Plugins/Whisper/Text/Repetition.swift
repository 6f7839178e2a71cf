import Glibc

/// Detects endless repetition, which models produce in response to noise.
enum Repetition {
    /// The maximum number of tokens in a period. Longer repeated sequences are more likely to be verses.
    private static let longestPeriod = 16
    /// The minimum number of tokens in a loop.
    private static let minimumLength = 24
    private static let minimumRepeats = 4

    /// Returns the length of a loop at the end of the tokens, and the length of the sequence that it repeats; `nil` if
    /// there is no loop.
    ///
    /// A loop has at least four repetitions and 24 tokens, because people do say "no, no, no, no" but do not repeat the
    /// same six tokens four times.
    static func loop(atEndOf tokens: [Int]) -> (length: Int, period: Int)? {
        for period in 1...longestPeriod {
            guard tokens.count >= max(minimumLength, period * minimumRepeats) else { return nil }
            var length = period
            while length < tokens.count, tokens[tokens.count - 1 - length] == tokens[tokens.count - 1 - length + period]
            {
                length += 1
            }
            if length >= max(minimumLength, period * minimumRepeats) { return (length, period) }
        }
        return nil
    }

    /// Returns the text's zlib compression ratio, accurate to within a few percent; 0 for an empty text. The ratio is
    /// below 2.1 for speech and above 2.3 for loops.
    ///
    /// The size of zlib's output is estimated from the matches that zlib finds at levels above 3. The code lengths follow
    /// from the symbol frequencies, or from deflate's fixed codes if those are shorter (RFC 1951).
    static func ratio(of text: String) -> Double {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return 0 }
        // The size includes two header bytes, four checksum bytes, one bit for the last-block flag and two bits for the
        // block type.
        let size = 6 + ((3 + bits(of: symbols(of: bytes))) / 8).rounded(.up)
        return Double(bytes.count) / size
    }

    private enum Symbol {
        case literal(UInt8)
        case match(length: Int, distance: Int)
    }

    private static let longestMatch = 258
    private static let shortestMatch = 3
    private static let window = 1 << 15

    /// Lazy matching: a match is skipped if a longer match starts at the next byte.
    private static func symbols(of bytes: [UInt8]) -> [Symbol] {
        var places: [UInt32: [Int]] = [:]
        func key(_ position: Int) -> UInt32? {
            guard position + 2 < bytes.count else { return nil }
            return UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
        }
        func match(_ position: Int) -> (length: Int, distance: Int)? {
            guard let key = key(position), let known = places[key] else { return nil }
            var best: (length: Int, distance: Int)?
            for start in known.reversed().prefix(128) where position > start && position - start <= window {
                var length = 0
                while length < longestMatch, position + length < bytes.count,
                    bytes[start + length] == bytes[position + length]
                {
                    length += 1
                }
                if length > best?.length ?? shortestMatch - 1 { best = (length, position - start) }
            }
            return best
        }
        var symbols: [Symbol] = []
        var position = 0
        func pass(_ count: Int) {
            for passed in position..<position + count {
                if let key = key(passed) { places[key, default: []].append(passed) }
            }
            position += count
        }
        while position < bytes.count {
            guard let found = match(position) else {
                symbols.append(.literal(bytes[position]))
                pass(1)
                continue
            }
            let literal = bytes[position]
            pass(1)
            if let next = match(position), next.length > found.length {
                symbols.append(.literal(literal))
            } else {
                symbols.append(.match(length: found.length, distance: found.distance))
                pass(found.length - 1)
            }
        }
        return symbols
    }

    private static func bits(of symbols: [Symbol]) -> Double {
        // The end of the block is also a symbol.
        var letters: [Int: Int] = [256: 1]
        var distances: [Int: Int] = [:]
        var extra = 0.0
        var fixed = 7.0
        for symbol in symbols {
            switch symbol {
            case .literal(let byte):
                letters[Int(byte), default: 0] += 1
                fixed += byte < 144 ? 8 : 9
            case .match(let length, let distance):
                let (lengthClass, lengthBits) = length == longestMatch ? (28, 0) : classOf(length - 3, exactBits: 2)
                let (distanceClass, distanceBits) = classOf(distance - 1, exactBits: 1)
                letters[257 + lengthClass, default: 0] += 1
                distances[distanceClass, default: 0] += 1
                extra += Double(lengthBits + distanceBits)
                fixed += (lengthClass < 23 ? 7 : 8) + 5
            }
        }
        // The code lengths take about 4 bits per symbol that occurs, plus 100 bits for gaps and for the codes of the
        // lengths.
        let header = 100 + 4 * Double(letters.count + distances.count)
        return extra + min(fixed, header + entropy(letters) + entropy(distances))
    }

    /// Returns the class of a number in deflate's code. After every `1 << exactBits` classes, the classes double in
    /// width. Extra bits distinguish the numbers in a class.
    private static func classOf(_ number: Int, exactBits: Int) -> (number: Int, bits: Int) {
        guard number >= 2 << exactBits else { return (number, 0) }
        let bits = Int.bitWidth - 1 - number.leadingZeroBitCount - exactBits
        return ((bits << exactBits) + (number >> bits), bits)
    }

    private static func entropy(_ counts: [Int: Int]) -> Double {
        let total = Double(counts.values.reduce(0, +))
        return counts.values.reduce(0) { $0 - Double($1) * max(-16, min(-1, log2(Double($1) / total))) }
    }
}
