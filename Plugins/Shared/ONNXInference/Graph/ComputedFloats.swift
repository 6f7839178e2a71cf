/// Floats that are computed when they are needed, strip by strip: most are only written to a file, and then few are in memory at once.
package struct ComputedFloats: Sendable {
    let count: Int
    /// Where the floats of each strip belong, in the order in which they are computed.
    private let strips: [[Range<Int>]]
    private let fill: @Sendable (Int, UnsafeMutableBufferPointer<Float>) -> Void

    /// - Parameters:
    ///   - strips: Each place belongs to one of them.
    ///   - fill: Gives each float of a strip a value. Any thread; each call gives the same ones.
    init(
        strips: [[Range<Int>]],
        _ fill: @escaping @Sendable (_ strip: Int, _ floats: UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        count = strips.joined().reduce(0) { $0 + $1.count }
        self.strips = strips
        self.fill = fill
    }

    /// How many floats `forEach` needs memory for.
    var longestStrip: Int { strips.map { $0.reduce(0) { $0 + $1.count } }.max() ?? 0 }

    /// Computes all floats and hands them over, with the place of the first of them.
    ///
    /// - Parameter scratch: Memory for `longestStrip` floats.
    func forEach<Failure: Error>(
        in scratch: UnsafeMutableBufferPointer<Float>,
        _ body: (_ place: Int, _ floats: UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        for (number, ranges) in strips.enumerated() {
            let length = ranges.reduce(0) { $0 + $1.count }
            fill(number, UnsafeMutableBufferPointer(rebasing: scratch[..<length]))
            var start = 0
            for range in ranges {
                try body(range.lowerBound, UnsafeBufferPointer(rebasing: scratch[start..<start + range.count]))
                start += range.count
            }
        }
    }

    package var array: [Float] {
        [Float](unsafeUninitializedCapacity: count) { result, initialized in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: longestStrip) { scratch in
                forEach(in: scratch) { place, floats in
                    _ = UnsafeMutableBufferPointer(rebasing: result[place..<place + floats.count])
                        .initialize(fromContentsOf: floats)
                }
            }
            initialized = count
        }
    }
}
