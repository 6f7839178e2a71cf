/// Letters of one writing system that follow each other, with what stands between them.
struct LetterRun: Equatable {
    /// In bytes of the text, from its first letter to its last.
    var range: Range<Int>
    /// nil = letters of several are mixed in one word.
    var system: WritingSystem?
    /// Words with spaces between them.
    var words = 1
    /// Letters of the longest word.
    var longestWord: Int
    var hasSmallLetters: Bool
}
