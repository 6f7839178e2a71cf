/// Where to cut a sentence that is longer than the limit.
enum LongCut {
    /// A byte position in `start+1...limit`, given that the scalar at `limit` is the first one too many. Only the second
    /// half is searched for a pleasant place, so that each cut gets rid of half of what it looked at.
    static func position(start: Int, limit: Int, in bytes: Span<UInt8>) -> Int {
        let half = start + (limit - start) / 2
        var blank: Int?
        var isBlankBehind = false
        var isExtenderBehind = false
        var index = limit
        var (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
        while true {
            let kind = ScalarClass.of(value)
            let after = index + length
            if after <= limit, !isExtenderBehind {
                if kind == .wideClause || value == 0x2014 { return after }
                if isBlankBehind, kind == .clause || kind == .dash { return after }
            }
            isBlankBehind = kind == .space || kind == .lineBreak || kind == .paragraphBreak
            if isBlankBehind, !isExtenderBehind, blank == nil, index > start { blank = index }
            isExtenderBehind = ScalarClass.isExtender(value)
            guard index > half, index > start else { break }
            index = UTF8Cursor.start(before: index, floor: start, in: bytes)
            (value, length) = UTF8Cursor.scalar(at: index, in: bytes)
        }
        return blank ?? graphemeBorder(start: start, limit: limit, in: bytes)
    }

    private static func graphemeBorder(start: Int, limit: Int, in bytes: Span<UInt8>) -> Int {
        let tooMuch = UTF8Cursor.string(start..<limit + UTF8Cursor.length(ofLead: bytes[limit]), of: bytes)
        let border = tooMuch.utf8.distance(from: tooMuch.startIndex, to: tooMuch.index(before: tooMuch.endIndex))
        return border > 0 ? start + border : limit
    }
}
