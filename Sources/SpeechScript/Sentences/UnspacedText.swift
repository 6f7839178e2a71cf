/// Rules for Chinese and Japanese, whose sentences follow each other without white space.
enum UnspacedText {
    /// Chinese verbs of saying: shuō, dào, wèn, hǎn, dá, jiào, jiǎng, in both scripts.
    private static let sayings: Set<UInt32> = [
        0x8BF4, 0x8AAA, 0x9053, 0x95EE, 0x554F, 0x558A, 0x7B54, 0x53EB, 0x8BB2, 0x8B1B,
    ]
    /// "The old teacher said" has four characters.
    private static let longestSpeaker = 4
    /// Fewer characters than this before an ellipsis are no sentence.
    private static let shortestSentence = 4

    /// Whether the words after a quotation tell who said it; nil if more text is needed.
    static func saysWho(from place: Int, in bytes: Span<UInt8>, end: Int, isComplete: Bool) -> Bool? {
        var cursor = place
        for _ in 0..<longestSpeaker {
            guard cursor < end else { return isComplete ? false : nil }
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            guard ScalarClass.of(value) == .ordinary, ScalarClass.isSpaceless(value) else { return false }
            if sayings.contains(value) { return true }
            cursor += length
        }
        return false
    }

    /// Whether an ellipsis is a pause inside a sentence: after a word or two, or before a character that is said again.
    static func isHesitation(before ellipsis: Int, from start: Int, next: UInt32, in bytes: Span<UInt8>) -> Bool {
        var cursor = ellipsis
        for count in 0..<shortestSentence {
            guard cursor > start else { return true }
            cursor = UTF8Cursor.start(before: cursor, floor: start, in: bytes)
            let value = UTF8Cursor.scalar(at: cursor, in: bytes).value
            // The last part of the sentence counts, not what stands before a comma.
            guard ScalarClass.of(value) == .ordinary else { return true }
            if count == 0, value == next { return true }
        }
        return false
    }
}
