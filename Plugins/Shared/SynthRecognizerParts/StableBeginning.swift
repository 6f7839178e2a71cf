/// Finds the stable beginning of a live text, for recognizers that read all of the audio again each time.
///
/// The common beginning of two consecutive readings rarely changes any more. The last word of a reading does not count, because it may be
/// incomplete.
package enum StableBeginning {
    /// The number of stable tokens of the second reading. They end on a word boundary.
    ///
    /// - Parameter isBorder: Whether a token of the second reading begins a word.
    package static func count<Token: Equatable>(
        of first: some Collection<Token>, _ second: [Token], isBorder: (Int) -> Bool
    ) -> Int {
        let alike = zip(first, second).prefix { $0 == $1 }.count
        return (0..<second.count).prefix(alike + 1).last(where: isBorder) ?? 0
    }
}
