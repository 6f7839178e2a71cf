/// Whether the samples are equal. `#expect` with `==` would compute the difference of unequal arrays for hours.
package func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}
