/// Whether the samples differ by no more than they would between runs with different numbers of threads.
func isClose(_ first: [Float], _ second: [Float]) -> Bool {
    first.count == second.count && zip(first, second).allSatisfy { ($0 - $1).magnitude <= 1e-5 }
}
