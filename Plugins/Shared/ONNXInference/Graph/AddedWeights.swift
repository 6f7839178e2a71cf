/// Numbers that a rewritten graph adds to the end of the file of weights.
package struct AddedWeights {
    /// Smaller tensors are stored in the graph, as the library does it.
    private static let least = 1024
    private static let alignment = 64

    /// The name of the file, as the graph calls it.
    let location: String
    /// To be appended to the file, one after another.
    private(set) var pieces: [(padding: Int, numbers: MadeNumbers)] = []
    private let start: UInt64
    private var count: UInt64 = 0

    /// - Parameter end: The size of the file so far. `nil` if all numbers should be stored in the graph.
    package init(location: String, end: UInt64?) {
        self.location = location
        start = end ?? .max
    }

    /// The place of the numbers in the file; `nil` if they belong into the graph.
    mutating func add(_ numbers: MadeNumbers) -> UInt64? {
        guard start < UInt64(Int64.max), numbers.byteCount >= Self.least else { return nil }
        let padding = (Self.alignment - Int((start + count) % UInt64(Self.alignment))) % Self.alignment
        let position = start + count + UInt64(padding)
        pieces.append((padding, numbers))
        count += UInt64(padding + numbers.byteCount)
        return position
    }
}
