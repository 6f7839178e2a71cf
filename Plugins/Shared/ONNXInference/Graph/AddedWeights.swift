/// Numbers that a rewritten graph adds to the end of the file of weights.
package struct AddedWeights {
    /// Smaller tensors are stored in the graph, as the library does it.
    private static let least = 1024
    private static let alignment = 64

    /// The name of the file, as the graph calls it.
    let location: String
    /// To be appended to the file.
    private(set) var bytes: [UInt8] = []
    private let end: UInt64

    /// - Parameter end: The size of the file so far. `nil` if all numbers should be stored in the graph.
    package init(location: String, end: UInt64?) {
        self.location = location
        self.end = end ?? .max
    }

    /// The place of the numbers in the file; `nil` if they belong into the graph.
    mutating func add(_ numbers: [UInt8]) -> UInt64? {
        guard end < UInt64(Int64.max), numbers.count >= Self.least else { return nil }
        let position = end + UInt64(bytes.count)
        let padding = (Self.alignment - Int(position % UInt64(Self.alignment))) % Self.alignment
        bytes += [UInt8](repeating: 0, count: padding)
        bytes += numbers
        return position + UInt64(padding)
    }
}
