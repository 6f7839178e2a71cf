extension SpeechQueue {
    /// How a queue sounds and ends.
    public struct Options: Hashable, Sendable {
        /// What becomes of the queue if an item cannot be heard, because a clip is missing or an engine crashed.
        @nonexhaustive
        public enum FailurePolicy: Hashable, Sendable {
            /// The queue ends as soon as the item would sound, with its error.
            case end
            /// The item ends with an event, and the next one follows.
            case leaveOut
        }

        /// The format of the whole sound. Voices and clips of other formats are converted.
        public var format: SpeechFormat
        /// What becomes of the queue if an item fails.
        public var onFailure: FailurePolicy
        /// Whether it waits for more items when all channels are empty, until ``SpeechQueue/finish()``.
        public var staysOpen: Bool

        /// What the properties say; 48 000 Hz and two channels, which holds every usual clip.
        public init(
            format: SpeechFormat = SpeechFormat(sampleRate: 48_000, channels: 2), onFailure: FailurePolicy = .end,
            staysOpen: Bool = false
        ) {
            self.format = format
            self.onFailure = onFailure
            self.staysOpen = staysOpen
        }
    }
}
