import SynthSystem

/// A client's preferred languages, from an `Accept-Language` header (RFC 9110, section 12.5.4).
package struct AcceptedLanguages: Equatable, Sendable {
    private struct Range: Equatable, Sendable {
        /// The language tag in lowercase; "*" for any language.
        let tag: String
        /// The weight in thousandths.
        let weight: Int
    }

    /// The maximum number of entries to read from a header. Browsers send far fewer.
    package static let maximumRanges = 32

    private let ranges: [Range]

    /// Parses the header. Malformed entries and entries beyond ``maximumRanges`` are ignored.
    package init(_ header: String) {
        let parts = header.utf8.split(separator: UInt8(ascii: ","), maxSplits: Self.maximumRanges).prefix(
            Self.maximumRanges)
        let read = parts.compactMap(Self.range)
        ranges = read.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// Returns the best available language, or nil if none matches. A preferred "de" also matches "de-CH", and a
    /// preferred "de-AT" also matches "de" (RFC 4647, section 3.4).
    ///
    /// - Parameter available: language tags. If several match equally well, the first is chosen.
    package func choice(of available: [String]) -> String? {
        let refused = Set(ranges.filter { $0.weight == 0 }.map(\.tag))
        let allowed = available.filter { !refused.contains($0.lowercased()) }
        for range in ranges where range.weight > 0 {
            if range.tag == "*" {
                guard let first = allowed.first else { continue }
                return first
            }
            var wanted = range.tag[...]
            while !wanted.isEmpty {
                if let found = allowed.first(where: { $0.lowercased() == wanted }) { return found }
                wanted = wanted[..<(wanted.lastIndex(of: "-") ?? wanted.startIndex)]
            }
            if let found = allowed.first(where: { $0.lowercased().hasPrefix("\(range.tag)-") }) { return found }
        }
        return nil
    }

    private static func range(_ part: Substring.UTF8View) -> Range? {
        let pieces = part.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { HTTPHeaders.lowercased(HTTPHeaders.trimmed($0)) }
        guard (1...2).contains(pieces.count), isTag(pieces[0]) else { return nil }
        guard let weight = pieces.count == 2 ? weight(pieces[1]) : 1000 else { return nil }
        return Range(tag: pieces[0], weight: weight)
    }

    private static func isTag(_ text: String) -> Bool {
        if text == "*" { return true }
        return text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy(\.isLetterOrDigit)
        }
    }

    private static func weight(_ text: String) -> Int? {
        guard text.hasPrefix("q=") else { return nil }
        let number = Array(text.utf8.dropFirst(2))
        let digits = number.dropFirst(2)
        guard let first = number.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), digits.count <= 3,
            number.count == 1 || number[1] == UInt8(ascii: "."),
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        let padded = digits + Array(repeating: UInt8(ascii: "0"), count: 3 - digits.count)
        let weight = padded.reduce(Int(first - UInt8(ascii: "0"))) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return weight <= 1000 ? weight : nil
    }
}
