/// Which of several speeches that want the same lane speaks its next utterance first.
package enum SpeechPriority: Int, Comparable, Sendable {
    /// A book, or a file that is written.
    case background
    case normal
    /// What must be heard at once, as the words of a screen reader.
    case urgent

    package static func < (first: SpeechPriority, second: SpeechPriority) -> Bool { first.rawValue < second.rawValue }
}
