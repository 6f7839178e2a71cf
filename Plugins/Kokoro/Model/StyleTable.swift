/// The style vectors of one voice: one row for each number of tokens in a run.
struct StyleTable: Sendable {
    /// Why a file is no style table. The description continues a sentence whose subject is the file.
    struct Failure: Error {
        var description: String

        static func unknown(_ voice: String, among names: [String]) -> Failure {
            let list = names.prefix(8).joined(separator: ", ")
            let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
            return Failure(description: "has no voice of this name; it has \(list)\(rest)")
        }
    }

    /// Numbers of a style vector.
    static let width = 256
    /// The rows of a published voice.
    static let publishedRows = 510
    /// The rows of a voice of release 0.19, which was trained on other symbols.
    static let firstRows = 511

    let rowCount: Int
    /// All rows, one after the other.
    private let numbers: [Float]

    init(numbers: [Float]) throws(Failure) {
        guard !numbers.isEmpty, numbers.count % Self.width == 0 else {
            throw Failure(description: "has \(numbers.count) numbers, which make no rows of \(Self.width)")
        }
        guard numbers.count != Self.firstRows * Self.width else {
            throw Failure(description: "is of Kokoro 0.19, whose symbols are others; voices of 1.0 are spoken here")
        }
        guard numbers.allSatisfy(\.isFinite) else { throw Failure(description: "holds numbers that are none (NaN)") }
        self.numbers = numbers
        rowCount = numbers.count / Self.width
    }

    /// The row for this many tokens without pads; the last row if there are more tokens than rows.
    func row(forTokens count: Int) -> ArraySlice<Float> {
        let row = min(max(count, 0), rowCount - 1)
        return numbers[row * Self.width..<(row + 1) * Self.width]
    }

    /// The weighted sum of the rows of several voices. Tables may have different numbers of rows.
    static func blend(_ voices: [(table: StyleTable, weight: Float)], forTokens count: Int) -> [Float] {
        if let voice = voices.first, voices.count == 1, voice.weight == 1 {
            return Array(voice.table.row(forTokens: count))
        }
        var sum = [Float](repeating: 0, count: width)
        for voice in voices {
            for (index, number) in voice.table.row(forTokens: count).enumerated() {
                sum[index] += voice.weight * number
            }
        }
        return sum
    }
}
