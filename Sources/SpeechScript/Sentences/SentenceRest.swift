/// How much of a sentence follows a position in it.
enum SentenceRest {
    case long
    case short
    /// Not known yet: the text ends before.
    case cutOff

    /// - Parameter scalars: the number from which the rest counts as long.
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
