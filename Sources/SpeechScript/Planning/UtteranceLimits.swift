/// How long an utterance may grow. Lengths are in Unicode scalars, as engines count them.
package struct UtteranceLimits: Sendable, Equatable {
    /// A longer sentence is cut. Between 1 and 16 384, so that `Utterance.maximumBytes` holds for any script.
    package let scalars: Int
    /// If set, the first utterance (also the first after `PlainTextScript.beginAnew()`) ends at the first clause mark
    /// after so many scalars if about as many follow in the sentence. This gives an early first sound.
    package let firstClauseAfter: Int?

    /// For an early first sound: a first utterance of about four words, if a clause ends there.
    package static let early = UtteranceLimits(firstClauseAfter: 20)

    /// Values out of range are clamped.
    package init(scalars: Int = 2_000, firstClauseAfter: Int? = nil) {
        self.scalars = min(max(scalars, 1), Utterance.maximumBytes / 4)
        self.firstClauseAfter = firstClauseAfter.map { max($0, 1) }
    }
}
