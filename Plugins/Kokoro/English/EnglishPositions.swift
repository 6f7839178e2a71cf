package import SynthEnglish

/// The words of an English text and their symbols, read sentence by sentence on demand.
struct EnglishPositions: Sendable {
    let reader: EnglishReader
    private let utf8: [UInt8]
    /// The remaining sentences, in reverse order.
    private var sentences: [Range<Int>]
    /// The words of the most recently read sentence, with positions in the complete text.
    private var words: [(bytes: Range<Int>, symbols: [Unicode.Scalar])] = []
    private var unreadable: Set<Int> = []
    /// The index of the first word after the most recently requested position.
    private var next = 0
    private var end = 0

    init(_ text: String, _ reader: EnglishReader) {
        self.reader = reader
        utf8 = Array(text.utf8)
        sentences = EnglishSentences.ranges(of: text).reversed()
    }

    /// - Parameter location: The range of a word without adjacent punctuation. Words must be requested in text order.
    mutating func symbols(of location: Range<Int>) -> [Unicode.Scalar]? {
        while end <= location.lowerBound, let range = sentences.popLast() { read(range) }
        // An apostrophe or period can be part of the word: "'em", "Dr."
        while next < words.count, words[next].bytes.upperBound <= location.lowerBound { next += 1 }
        let inside = words[next...].prefix { $0.bytes.lowerBound < location.upperBound }
        guard let first = inside.first, let last = inside.last,
            (first.bytes.lowerBound...first.bytes.lowerBound + 1).contains(location.lowerBound),
            (last.bytes.upperBound - 1...last.bytes.upperBound).contains(location.upperBound),
            unreadable.isDisjoint(with: location),
            !utf8[location].contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        return Array(inside.map(\.symbols).joined(separator: [" "]))
    }

    private mutating func read(_ range: Range<Int>) {
        let reading = reader.read(String(decoding: utf8[range], as: UTF8.self))
        func moved(_ bytes: Range<Int>) -> Range<Int> {
            bytes.lowerBound + range.lowerBound..<bytes.upperBound + range.lowerBound
        }
        words = reading.words.map { (moved($0.bytes), Array(reading.symbols[$0.symbols])) }
        unreadable = Set(reading.unreadable.map { moved($0).lowerBound })
        next = 0
        end = range.upperBound
    }
}

extension EnglishReaders {
    /// Returns the reader for a variety of English; `nil` for other languages.
    package func reader(for language: KokoroLanguage) throws -> EnglishReader? {
        switch language {
        case .american: try reader(of: .american)
        case .british: try reader(of: .british)
        default: nil
        }
    }
}

/// Properties of English words other than their pronunciation.
enum EnglishWords {
    /// Words after which a period does not end a sentence.
    static let titles: Set<String> = [
        "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "Mt", "Sr", "Jr", "Gen", "Col", "Capt", "Lt", "Sgt", "Rev", "Hon", "vs",
    ]

    /// Words whose pronunciation depends on context. Capitalizing them never adds stress.
    static let contextual: Set<String> = ["a", "an", "am", "i", "in", "the", "to", "used"]

    /// Adds stress for capital letters: an unstressed word gets secondary stress if it is capitalized and primary
    /// stress if it is in all capitals.
    static func stressed(_ symbols: [Unicode.Scalar], as text: String) -> [Unicode.Scalar] {
        guard text != text.lowercased(), !contextual.contains(text.lowercased()) else { return symbols }
        return Stress.stressed(symbols, text.count > 1 && text == text.uppercased() ? .loud : .slight)
    }
}
