/// Where the characters (Unicode scalars) of an utterance's text stand in the document.
package struct CharacterPlaces: Sendable, Equatable {
    private indirect enum Form: Sendable, Equatable {
        /// The text is the document's, from a character on. The bytes, in ascending order, stand for a further byte of a
        /// longer character: a control character of several bytes has become as many spaces.
        case copied(first: Int, hidden: [Int])
        case indexed(SourceMap, CharacterIndex)
        case edited(SourceMap, original: String, CharacterPlaces)
    }
    private let form: Form

    /// Of text that is the document's own, but for control characters.
    ///
    /// - Parameter first: the characters of the document before the text.
    package init(first: Int = 0, hidden: [Int] = []) { form = .copied(first: first, hidden: hidden) }

    /// Of text that was put together from a document.
    package init(_ source: SourceMap, _ index: CharacterIndex) { form = .indexed(source, index) }

    /// Of text that was made from another text.
    ///
    /// - Parameters:
    ///   - map: from the text to `original`.
    ///   - places: of the characters of `original`.
    package init(_ map: SourceMap, to original: String, _ places: CharacterPlaces) {
        form = .edited(map, original: original, places)
    }

    /// The characters of the document that a range of `text` stands for. `text` is the utterance's, the range in its bytes.
    package func range(of range: Range<Int>, in text: String) -> Range<Int> {
        switch form {
        case .copied(let first, let hidden):
            func offset(_ byte: Int) -> Int {
                let starts = text.utf8.prefix(byte).count { !UTF8.isContinuation($0) }
                return first + starts - hidden.prefix { $0 < byte }.count
            }
            let lower = offset(range.lowerBound)
            return lower..<max(lower, offset(range.upperBound))
        case .indexed(let map, let index):
            let source = map.sourceRange(of: range)
            return index.count(before: source.lowerBound)..<index.count(before: source.upperBound)
        case .edited(let map, let original, let places):
            return places.range(of: map.sourceRange(of: range), in: original)
        }
    }

    /// The characters of the document before a byte of `text`.
    package func offset(of byte: Int, in text: String) -> Int { range(of: byte..<byte, in: text).lowerBound }
}
