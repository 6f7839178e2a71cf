/// Finds the part of a live text that no longer changes, for recognizers that read all of the audio again each time.
///
/// The common prefix of two consecutive readings rarely changes later. The last word of a reading is excluded because it may be
/// incomplete.
package enum StableBeginning {
    /// The number of stable tokens at the beginning of the second reading, which end on a word boundary.
    ///
    /// - Parameter isBorder: Whether the token at this index of the second reading begins a word.
    package static func count<Token: Equatable>(
        of first: some Collection<Token>, _ second: [Token], isBorder: (Int) -> Bool
    ) -> Int {
        let alike = zip(first, second).prefix { $0 == $1 }.count
        return (0..<second.count).prefix(alike + 1).last(where: isBorder) ?? 0
    }
}
