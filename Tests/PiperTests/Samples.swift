/// Whether two rows of samples are the same. Not left to the test's own `==`, which on a failure would look for the
/// shortest way to turn one into the other, for hours.
func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}

/// Whether two rows of samples sound the same: nowhere further apart than a run with other threads may be.
func isClose(_ first: [Float], _ second: [Float]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { ($0 - $1).magnitude <= 1e-5 }
}
