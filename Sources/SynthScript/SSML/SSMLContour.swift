import Glibc

/// Parses the `contour` attribute of `prosody`, such as "(0%,+20Hz) (50%,+10%)".
///
/// A target is a factor relative to the element's pitch, including its `pitch` attribute. Targets in hertz without a
/// sign are relative to the mean of all such targets, which represents the element's pitch.
enum SSMLContour {
    private static let maximumTargets = 100
    private static let factors = 0.1...10

    /// Returns nil if the attribute is invalid. Targets at positions outside 0 to 100% are ignored. If no target
    /// remains, the pitch does not change.
    static func targets(_ text: String) -> [PitchContour.Target]? {
        var rest = text[...]
        var targets: [PitchContour.Target] = []
        var hertz: [Int: Double] = [:]
        while let open = rest.firstIndex(where: { $0 != " " }) {
            guard rest[open] == "(", let close = rest[open...].firstIndex(of: ")"), targets.count < maximumTargets
            else {
                return nil
            }
            let pair = rest[rest.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
            guard pair.count == 2, let place = SSMLQuantity(String(pair[0])), place.unit == "%" else { return nil }
            let words = pair[1].drop { $0 == " " }
            let value = String(words.prefix { $0 != " " })
            guard words.dropFirst(value.count).allSatisfy({ $0 == " " }), let factor = SSMLProsody.pitch(value) else {
                return nil
            }
            rest = rest[rest.index(after: close)...]
            guard place.sign != "-", place.number <= 100 else { continue }
            if let quantity = SSMLQuantity(value), quantity.unit == "Hz", quantity.sign == nil {
                guard quantity.number > 0 else { return nil }
                hertz[targets.count] = quantity.number
            }
            targets.append(.init(share: place.number / 100, factor: factor))
        }
        let mean = hertz.values.reduce(0) { $0 + log($1) } / Double(max(hertz.count, 1))
        for index in targets.indices {
            let factor = hertz[index].map { $0 / exp(mean) } ?? targets[index].factor
            targets[index].factor = min(max(factor, factors.lowerBound), factors.upperBound)
        }
        return targets
    }
}

/// Finds the end of an element with a contour before the element's content is read. Each byte is scanned at most once
/// for this purpose.
struct SSMLContourEnds {
    /// The ends of the elements with a contour inside the most recent outermost one, keyed by the position of the start
    /// tag.
    private var known: [Int: Int] = [:]
    /// The end of the most recent outermost element.
    private var last = 0

    /// Returns the position of the end tag, or the end of the document if the tag is missing or an error precedes it.
    mutating func end(of tag: XMLTag, in tokens: inout XMLReader) -> Int {
        if let end = known[tag.source.lowerBound] { return end }
        // Earlier elements have already been read, so their ends are no longer needed.
        if tag.source.lowerBound >= last { known = [:] }
        var ahead = tokens
        var starts: [Int?] = [tag.source.lowerBound]
        while !starts.isEmpty, let token = try? ahead.next() {
            switch token {
            case .start(let inner): starts.append(inner.attribute("contour") == nil ? nil : inner.source.lowerBound)
            case .end(let source): if let start = starts.removeLast() { known[start] = source.lowerBound }
            case .characters, .reference: break
            }
        }
        last = ahead.position
        tokens.work = ahead.work
        // An empty-element tag is its own end tag.
        return max(known[tag.source.lowerBound] ?? tokens.bytes.count, tag.source.upperBound)
    }
}
