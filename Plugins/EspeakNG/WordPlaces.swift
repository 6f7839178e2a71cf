/// Where the words of a text lie. libespeak-ng names a place by the number of its character (a Unicode scalar, from 1),
/// and reports one written word as several spoken ones ("3.14", "U.S.A.", "👍🏽"); this finds the written word again.
struct WordPlaces {
    private struct Word {
        /// All of it, in scalars.
        var scalars: Range<Int>
        /// In UTF-8 bytes, without the punctuation around it; empty where it is nothing else.
        var bytes: Range<Int>
        var isIdeograph: Bool
    }

    private var words: [Word] = []

    /// No white space separates ideographs, so each is a word; what is reported as one covers several.
    init(_ text: String) {
        var scalarIndex = 0
        var byteIndex = 0
        var isOpen = false
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            let properties = scalar.properties
            if properties.isWhitespace || properties.generalCategory == .control {
                isOpen = false
            } else {
                if !isOpen || properties.isIdeographic {
                    words.append(
                        Word(
                            scalars: scalarIndex..<scalarIndex, bytes: byteIndex..<byteIndex,
                            isIdeograph: properties.isIdeographic))
                }
                extend(past: scalarIndex, byteIndex, width, isCore: !Self.isAround(scalar))
                isOpen = !properties.isIdeographic
            }
            scalarIndex += 1
            byteIndex += width
        }
    }

    private mutating func extend(past scalar: Int, _ byte: Int, _ width: Int, isCore: Bool) {
        let last = words.count - 1
        words[last].scalars = words[last].scalars.lowerBound..<scalar + 1
        guard isCore else { return }
        let start = words[last].bytes.isEmpty ? byte : words[last].bytes.lowerBound
        words[last].bytes = start..<byte + width
    }

    var isEmpty: Bool { words.isEmpty }

    /// The word that holds the character of this number, or the next one; `nil` behind the last. `ordinal` rises with
    /// the place, and is the same for two characters of one word.
    func word(at position: Int, length: Int) -> (ordinal: Int, bytes: Range<Int>)? {
        guard var ordinal = firstWord(endingAfter: position - 1) else { return nil }
        while words[ordinal].bytes.isEmpty {
            ordinal += 1
            guard ordinal < words.count else { return nil }
        }
        var bytes = words[ordinal].bytes
        if words[ordinal].isIdeograph, length > 1, let last = firstWord(endingAfter: position + length - 2) {
            for word in words[ordinal...max(ordinal, last)] where word.isIdeograph && !word.bytes.isEmpty {
                bytes = bytes.lowerBound..<word.bytes.upperBound
            }
        }
        return (ordinal, bytes)
    }

    private func firstWord(endingAfter scalar: Int) -> Int? {
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            if words[middle].scalars.upperBound > scalar { high = middle } else { low = middle + 1 }
        }
        return low < words.count ? low : nil
    }

    /// Punctuation that stands around words. What is spoken by its name ("%", "&") is none.
    private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation:
            true
        case .otherPunctuation: !"%‰&@#*/\\§".unicodeScalars.contains(scalar)
        default: false
        }
    }
}
