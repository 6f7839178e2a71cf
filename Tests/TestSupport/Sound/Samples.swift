/// Whether the samples are equal. For unequal arrays, `#expect` with `==` would spend hours computing the difference.
package func isSame(_ first: [Float], _ second: [Float]) -> Bool {
    first == second
}
