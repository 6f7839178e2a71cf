/// Whether two rows of samples are the same. Not left to the test's own `==`, which on a failure would look for the
/// shortest way to turn one into the other, for hours.
func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}
