/// How much of a sentence stands behind a place in it.
enum SentenceRest {
    case long
    case short
    /// The text at hand ends before that is known.
    case cutOff

    /// - Parameter scalars: as many make it long.
    static func of(_ scalars: Int, from place: Int, in bytes: Span<UInt8>, end: Int) -> SentenceRest {
        var cursor = place
        for _ in 0..<scalars {
            guard cursor < end else { return .cutOff }
            let (value, length) = UTF8Cursor.scalar(at: cursor, in: bytes)
            switch ScalarClass.of(value) {
            case .period, .ellipsis, .strong, .wide, .lineBreak, .paragraphBreak: return .short
            default: cursor += length
            }
        }
        return .long
    }
}
