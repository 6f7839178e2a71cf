/// Numbers that a rewritten graph adds to the end of the file of weights.
package struct AddedWeights {
    /// What is to be written into the file, at which offset.
    struct Piece: Sendable {
        let position: UInt64
        let numbers: MadeNumbers
    }

    /// Smaller tensors are stored in the graph, as the library does it.
    private static let least = 1024
    private static let alignment: UInt64 = 64

    /// The name of the file, as the graph calls it.
    let location: String
    private(set) var pieces: [Piece] = []
    private var end: UInt64

    /// - Parameter end: The size of the file so far. `nil` if all numbers should be stored in the graph.
    package init(location: String, end: UInt64?) {
        self.location = location
        self.end = end ?? .max
    }

    /// The place of the numbers in the file; `nil` if they belong into the graph.
    mutating func add(_ numbers: MadeNumbers) -> UInt64? {
        guard end < UInt64(Int64.max), numbers.byteCount >= Self.least else { return nil }
        let padding = (Self.alignment - end % Self.alignment) % Self.alignment
        let position = end + padding
        pieces.append(Piece(position: position, numbers: numbers))
        end = position + UInt64(numbers.byteCount)
        return position
    }
}
