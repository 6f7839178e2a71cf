/// Numbers that a rewritten graph adds to files of weights beside it.
package struct AddedWeights {
    /// What is to be written into one of the files, at which offset.
    struct Piece: Sendable {
        let file: Int
        let position: UInt64
        let numbers: MadeNumbers
    }

    /// Smaller tensors are stored in the graph, as the library does it.
    private static let least = 1024
    private static let alignment: UInt64 = 64

    /// The names of the files, as the graph calls them.
    private let locations: [String]
    private(set) var pieces: [Piece] = []
    private var ends: [UInt64]

    /// - Parameter locations: Empty if all numbers should be stored in the graph.
    package init(locations: [String]) {
        self.locations = locations
        ends = locations.map { _ in 0 }
    }

    /// The first files, which get any.
    var fileCount: Int { ends.count { $0 > 0 } }

    /// The place of the numbers in the shortest of the files; `nil` if they belong into the graph.
    mutating func add(_ numbers: MadeNumbers) -> (location: String, position: UInt64)? {
        guard numbers.byteCount >= Self.least, let file = ends.indices.min(by: { ends[$0] < ends[$1] }) else {
            return nil
        }
        let padding = (Self.alignment - ends[file] % Self.alignment) % Self.alignment
        let position = ends[file] + padding
        pieces.append(Piece(file: file, position: position, numbers: numbers))
        ends[file] = position + UInt64(numbers.byteCount)
        return (locations[file], position)
    }
}
