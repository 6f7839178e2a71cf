/// Whether the samples are equal. For unequal arrays, `#expect` with `==` would compute the difference for hours.
package func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}
