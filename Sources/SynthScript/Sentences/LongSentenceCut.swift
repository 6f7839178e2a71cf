/// Finds the position at which to split a sentence that exceeds the length limit.
enum LongSentenceCut {
    /// Returns a byte position in `start+1...limit`, where `limit` is the position of the first scalar beyond the
    /// length limit. Searches only the second half of this range, so that each piece has at least half of the maximum
    /// length.
    static func position(start: Int, limit: Int, in bytes: Span<UInt8>) -> Int {
        let half = start + (limit - start) / 2
        var blank: Int?
        var isBlankNext = false
        var isExtenderNext = false
        var index = limit
        var (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
        while true {
            let kind = ScalarClass.of(value)
            let after = index + length
            if after <= limit, !isExtenderNext {
                if kind == .wideClause || value == 0x2014 { return after }
                if isBlankNext, kind == .clause || kind == .dash { return after }
            }
            isBlankNext = kind == .space || kind == .lineBreak || kind == .paragraphBreak
            if isBlankNext, !isExtenderNext, blank == nil, index > start { blank = index }
            isExtenderNext = ScalarClass.isExtender(value)
            guard index > half, index > start else { break }
            index = UTF8Cursor.start(before: index, floor: start, in: bytes)
            (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
        }
        return blank ?? graphemeBoundary(start: start, limit: limit, in: bytes)
    }

    private static func graphemeBoundary(start: Int, limit: Int, in bytes: Span<UInt8>) -> Int {
        let tooMuch = UTF8Cursor.string(start..<limit + UTF8Cursor.length(ofLead: bytes[limit]), of: bytes)
        let boundary = tooMuch.utf8.distance(from: tooMuch.startIndex, to: tooMuch.index(before: tooMuch.endIndex))
        return boundary > 0 ? start + boundary : limit
    }
}

enum SentenceRest {
    case long
    case short
    /// The available text ends before the sentence does.
    case cutOff

    /// - Parameter scalars: the minimum number of scalars in a long remainder.
    static func of(_ scalars: Int, from place: Int, in bytes: Span<UInt8>, end: Int) -> SentenceRest {
        var cursor = place
        for _ in 0..<scalars {
            guard cursor < end else { return .cutOff }
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            switch ScalarClass.of(value) {
            case .period, .ellipsis, .strong, .wide, .lineBreak, .paragraphBreak: return .short
            default: cursor += length
            }
        }
        return .long
    }
}
