/// Durations at another rate than the voice's own.
///
/// The published graphs divide each duration and round it, with one unit of 25 ms at least, so that 2 gives 1.80 and 1.25 gives
/// 1.14. Here the ends of the symbols are divided and rounded instead: no error is longer than half a unit, however long the
/// text. A short symbol may then have no unit, as most stress marks and spaces do when people speak fast.
enum SpokenRate {
    /// Symbols without a unit in a row, which the computing core allows.
    private static let mostSilent = 24

    /// - Parameter rate: 2 is twice as fast.
    static func durations(_ own: [Int], rate: Float) -> [Int] {
        guard rate != 1 else { return own }
        let rate = Double(rate)
        var (sum, end, silent) = (0, 0, 0)
        var durations = own.map { duration in
            sum += duration
            var count = max(Int((Double(sum) / rate).rounded()) - end, 0)
            silent = count == 0 ? silent + 1 : 0
            if silent > mostSilent { (count, silent) = (1, 0) }
            end += count
            return count
        }
        if end == 0, let first = durations.indices.first { durations[first] = 1 }
        return durations
    }
}
