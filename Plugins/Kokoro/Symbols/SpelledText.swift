/// A text in which some places are written out as they are said. It maps places back to the text as it was written.
struct SpelledText {
    private struct Change {
        var written: Range<Int>
        var spelled: Range<Int>
    }

    /// In order, not overlapping.
    private var changes: [Change] = []
    private(set) var utf8: [UInt8] = []

    /// - Parameter replacements: In order, not overlapping; ranges in the UTF-8 of the text.
    init(_ text: String, replacing replacements: [(bytes: Range<Int>, words: String)] = []) {
        let written = Array(text.utf8)
        utf8.reserveCapacity(written.count)
        var position = 0
        for (bytes, words) in replacements where bytes.lowerBound >= position && bytes.upperBound <= written.count {
            utf8 += written[position..<bytes.lowerBound]
            let start = utf8.count
            utf8 += words.utf8
            changes.append(Change(written: bytes, spelled: start..<utf8.count))
            position = bytes.upperBound
        }
        utf8 += written[position...]
    }

    var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The range in the text as it was written. A part of a replacement stands for the whole replaced place.
    func written(_ range: Range<Int>) -> Range<Int> {
        guard !changes.isEmpty else { return range }
        let start = written(range.lowerBound, isEnd: false)
        return start..<max(start, written(range.upperBound, isEnd: true))
    }

    private func written(_ position: Int, isEnd: Bool) -> Int {
        // The last change that begins before the position.
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            let start = changes[middle].spelled.lowerBound
            if isEnd ? start < position : start <= position { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return position }
        let change = changes[low - 1]
        if isEnd ? position <= change.spelled.upperBound : position < change.spelled.upperBound {
            return isEnd ? change.written.upperBound : change.written.lowerBound
        }
        return position - change.spelled.upperBound + change.written.upperBound
    }
}
