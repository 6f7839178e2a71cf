/// The characters between a possible utterance end and the next letter: further terminators, closing quotes, white
/// space, line breaks and opening quotes. Whether the utterance ends depends on the next letter.
struct Gap: Sendable {
    enum Cause: Sendable {
        /// A line break without a terminator.
        case line
        case period
        case ellipsis
        case strong
        case wide

        /// Combines this cause with a cause that directly follows it.
        func joined(with other: Cause) -> Cause {
            switch (self, other) {
            case (.wide, _), (_, .wide): .wide
            case (.strong, _), (_, .strong): .strong
            default: .ellipsis
            }
        }
    }

    /// The end of the utterance if it ends in this gap.
    var end: Int
    var cause: Cause
    /// The position of the first terminator.
    var dot: Int
    var isClosed = false
    var isSpaced = false
    var lineBreaks = 0
    /// The indentation of the last line, in columns.
    var indent = 0
    /// Whether the previous line ended with a colon, or consists of characters that draw a rule.
    var isAfterHeading = false
    /// The position of the opening marks after the white space, and the number of scalars before them in the utterance.
    var opening: (position: Int, count: Int)?
    var hasDash = false

    init(end: Int, cause: Cause, dot: Int) {
        self.end = end
        self.cause = cause
        self.dot = dot
    }

    /// Returns the gap with its positions shifted by a number of bytes.
    func moved(by bytes: Int) -> Gap {
        var moved = self
        moved.end += bytes
        moved.dot += bytes
        moved.opening = opening.map { ($0.position + bytes, $0.count) }
        return moved
    }
}
