extension SpeechQueue {
    /// Something that happens to an item of a queue.
    public struct Event: Sendable {
        /// What happens.
        @nonexhaustive
        public enum Kind: Sendable {
            /// Its first sound.
            case began
            /// A word, a sentence or a phoneme of a speech begins to sound. Its frame counts from the beginning of the item,
            /// at the rate of the queue, its range is that of the item's own text.
            case part(Speech.Part)
            /// Its sound did not come in time, so its channel is silent until there is more.
            case late
            /// Its sound is over.
            case ended(Ending)
        }

        /// How an item ended.
        @nonexhaustive
        public enum Ending: Sendable {
            /// All of it sounded.
            case complete
            /// It was skipped, or its channel was cleared.
            case skipped
            /// It could not be made, or only the beginning of it.
            case failed(SpeechError)
        }

        /// The item, as `append` named it.
        public let item: Item.ID
        /// The channel that it sounds on.
        public let channel: Channel
        /// The frame of the queue's sound, counted from the beginning.
        public let frame: Int
        /// What happens.
        public let kind: Kind
    }
}
