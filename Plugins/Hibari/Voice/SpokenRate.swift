/// Durations at another rate than the voice's own.
///
/// The published graphs divide each duration and round it, with one unit of 25 ms at least, so that 2 gives 1.80 and 1.25 gives
/// 1.14. Here the ends of the symbols are divided and rounded instead: no error is longer than half a unit, however long the
/// text. A short symbol may then have no unit, as most stress marks and spaces do when people speak fast. At the rates that the
/// engine has, no two symbols in a row have none.
enum SpokenRate {
    /// - Parameters:
    ///   - own: At least 1 each.
    ///   - rate: 1.25 is a quarter faster. At most that, as the engine declares.
    /// - Returns: At most what the computing core takes: a slow voice's longest sounds get no longer.
    static func durations(_ own: [Int], rate: Float) -> [Int] {
        guard rate != 1 else { return own }
        let rate = Double(rate)
        var (sum, end) = (0, 0)
        return own.map { duration in
            sum += duration
            let start = end
            end = Int((Double(sum) / rate).rounded())
            return min(end - start, VoiceRun.longestDuration)
        }
    }
}
