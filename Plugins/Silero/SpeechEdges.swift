/// Where speech begins and ends, by how likely it is in each block.
///
/// It begins with a block that is speech with more than one half. It ends after the last block that may still be some, once 0.3 s
/// were quiet: less is a pause within a sentence. That end is known 320 ms after it.
package struct SpeechEdges {
    package enum Edge: Equatable, Sendable {
        /// With this block.
        case begins(Int)
        /// Before this block.
        case ends(Int)
    }

    private static let (begin, stay): (Float, Float) = (0.5, 0.35)
    /// The fewest blocks of quiet that are 0.3 s.
    private static let quiet = (3 * SpeechModel.rate / 10 + SpeechModel.block - 1) / SpeechModel.block

    private var blocks = 0
    /// Of speech, the last one that may be some; `nil` while nobody speaks.
    private var last: Int?

    package init() {}

    /// - Parameter probability: Of the next block.
    package mutating func add(_ probability: Float) -> Edge? {
        defer { blocks += 1 }
        guard let last else {
            guard probability >= Self.begin else { return nil }
            self.last = blocks
            return .begins(blocks)
        }
        if probability >= Self.stay {
            self.last = blocks
        } else if blocks - last >= Self.quiet {
            return finish()
        }
        return nil
    }

    /// The sound has ended.
    package mutating func finish() -> Edge? {
        defer { last = nil }
        return last.map { .ends($0 + 1) }
    }
}
