/// The letters at the end of longer words, at most eight bytes.
struct WordEnding: BitwiseCopyable, Sendable {
    private let letters: UInt64
    private let count: Int

    /// Nil if there are none or too many.
    init?(_ letters: some StringProtocol) {
        count = letters.utf8.count
        guard (1...8).contains(count) else { return nil }
        self.letters = letters.utf8.reduce(0) { $0 << 8 | UInt64($1) }
    }

    func matches(_ bytes: [UInt8], _ word: Range<Int>) -> Bool {
        guard word.count > count else { return false }
        var found: UInt64 = 0
        for index in word.suffix(count) { found = found << 8 | UInt64(bytes[index]) }
        return found == letters
    }
}
