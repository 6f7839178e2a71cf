/// Finds the part of a live transcript that no longer changes, for recognizers that reprocess all audio for each
/// partial text.
///
/// The common prefix of two consecutive results rarely changes later. The last word of a result is excluded because it
/// may be incomplete.
package enum StableBeginning {
    /// Returns the number of stable tokens at the beginning of the second result. They end at a word boundary.
    ///
    /// - Parameter isBorder: Whether the token at this index of the second result begins a word.
    package static func count<Token: Equatable>(
        of first: some Collection<Token>, _ second: [Token], isBorder: (Int) -> Bool
    ) -> Int {
        let alike = zip(first, second).prefix { $0 == $1 }.count
        return (0..<second.count).prefix(alike + 1).last(where: isBorder) ?? 0
    }
}
