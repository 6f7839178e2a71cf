/// How long an utterance may grow. Lengths are in Unicode scalars, as engines count them.
package struct UtteranceLimits: Sendable, Equatable {
    /// A longer sentence is cut. Between 1 and 16 384, so that `Utterance.maximumBytes` holds for any script.
    package let scalars: Int
    /// Where set, the very first utterance, and the first behind `PlainTextScript.beginAnew()`, ends at the first clause
    /// mark behind so many scalars, where about as much of the sentence follows, so that the first sound comes early.
    package let firstClauseAfter: Int?

    /// For ears that wait: some four words come first, where a clause ends there.
    package static let early = UtteranceLimits(firstClauseAfter: 20)

    /// Lengths out of range are brought to the nearest one in it.
    package init(scalars: Int = 2_000, firstClauseAfter: Int? = nil) {
        self.scalars = min(max(scalars, 1), Utterance.maximumBytes / 4)
        self.firstClauseAfter = firstClauseAfter.map { max($0, 1) }
    }
}
