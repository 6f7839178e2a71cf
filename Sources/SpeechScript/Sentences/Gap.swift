/// What stands between a possible end of an utterance and the next letter: more terminators, closing quotes, white space,
/// line breaks, opening quotes. Whether the utterance ends there shows at that letter.
struct Gap: Sendable {
    enum Cause: Sendable {
        /// Only a line break.
        case line
        case period
        case ellipsis
        case strong
        case wide

        /// What the sentence ends with when `other` follows at once.
        func joined(with other: Cause) -> Cause {
            switch (self, other) {
            case (.wide, _), (_, .wide): .wide
            case (.strong, _), (_, .strong): .strong
            default: .ellipsis
            }
        }
    }

    /// Where the utterance ends if it ends here.
    var end: Int
    var cause: Cause
    /// The first byte of the terminators.
    var dot: Int
    var isClosed = false
    var isSpaced = false
    var lineBreaks = 0
    /// The columns of white space before the first visible scalar of the last line.
    var indent = 0
    /// Whether the line before ended with a colon.
    var isAfterColon = false
    /// Opening marks that were passed behind the white space: where they start, and how many scalars were before them.
    var opening: (position: Int, count: Int)?
    var hasDash = false

    init(end: Int, cause: Cause, dot: Int) {
        self.end = end
        self.cause = cause
        self.dot = dot
    }

    /// The same gap in a text of which the first bytes were dropped.
    func moved(by bytes: Int) -> Gap {
        var moved = self
        moved.end += bytes
        moved.dot += bytes
        moved.opening = opening.map { ($0.position + bytes, $0.count) }
        return moved
    }
}
