/// Floats that are computed when they are needed: many are only written to a file, and then not all are in memory at once.
package struct ComputedFloats: Sendable {
    let count: Int
    private let fill: @Sendable (UnsafeMutableBufferPointer<Float>) -> Void

    /// - Parameter fill: Gives each of the `count` floats a value. Any thread; each call gives the same ones.
    init(count: Int, _ fill: @escaping @Sendable (_ floats: UnsafeMutableBufferPointer<Float>) -> Void) {
        self.count = count
        self.fill = fill
    }

    package var array: [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            initialized = count
        }
    }
}
