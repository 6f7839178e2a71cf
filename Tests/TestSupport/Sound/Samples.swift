/// Whether the samples are equal. For unequal arrays, `#expect` with `==` would take hours to compute the difference.
package func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}
