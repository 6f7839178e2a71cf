/// Where the characters (Unicode scalars) of an utterance's text stand in the document.
package struct CharacterPlaces: Sendable, Equatable {
    /// The characters of the document before the text.
    package let first: Int
    /// Bytes of the text, in ascending order, that stand for a further byte of a longer character: a control character
    /// of several bytes has become as many spaces.
    private let hidden: [Int]

    package init(first: Int = 0, hidden: [Int] = []) {
        self.first = first
        self.hidden = hidden
    }

    /// The characters of the document before a byte of `text`, the utterance's text.
    package func offset(of byte: Int, in text: String) -> Int {
        let starts = text.utf8.prefix(byte).count { !UTF8.isContinuation($0) }
        return first + starts - hidden.prefix { $0 < byte }.count
    }
}
