extension SpeechQueue {
    /// What items stand in line on. The items of one channel sound one after the other, those of two beside each other.
    public struct Channel: Hashable, Sendable, ExpressibleByStringLiteral {
        /// Any text that the program chooses.
        public let name: String

        /// The channel of this name. It needs no making.
        public init(_ name: String) { self.name = name }

        /// The channel of this name.
        public init(stringLiteral name: String) { self.name = name }

        /// The channel of items that name none.
        public static let main = Channel("main")
    }
}
