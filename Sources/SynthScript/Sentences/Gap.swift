/// The characters between a possible utterance end and the next letter: more terminators, closing quotes, white space, line
/// breaks, opening quotes. The next letter determines whether the utterance ends.
struct Gap: Sendable {
    enum Cause: Sendable {
        /// A line break without a terminator.
        case line
        case period
        case ellipsis
        case strong
        case wide

        /// The combined cause if `other` directly follows.
        func joined(with other: Cause) -> Cause {
            switch (self, other) {
            case (.wide, _), (_, .wide): .wide
            case (.strong, _), (_, .strong): .strong
            default: .ellipsis
            }
        }
    }

    /// Where the utterance ends, if it ends in this gap.
    var end: Int
    var cause: Cause
    /// The first byte of the terminators.
    var dot: Int
    var isClosed = false
    var isSpaced = false
    var lineBreaks = 0
    /// The indentation of the last line, in columns.
    var indent = 0
    /// Whether the previous line ended with a colon.
    var isAfterColon = false
    /// The opening marks after the white space: their position, and the number of scalars before them.
    var opening: (position: Int, count: Int)?
    var hasDash = false

    init(end: Int, cause: Cause, dot: Int) {
        self.end = end
        self.cause = cause
        self.dot = dot
    }

    /// The gap, adjusted for bytes that were removed from the start of the text.
    func moved(by bytes: Int) -> Gap {
        var moved = self
        moved.end += bytes
        moved.dot += bytes
        moved.opening = opening.map { ($0.position + bytes, $0.count) }
        return moved
    }
}
