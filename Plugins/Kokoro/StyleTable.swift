/// The style vectors of one voice: one for each number of tokens that is spoken at once.
struct StyleTable: Sendable {
    /// Why a file is no style table: the rest of a sentence that begins with the file.
    struct Failure: Error {
        var description: String
    }

    static let width = KokoroContract.styleWidth
    /// A published voice has 510 rows, one of the model's first release 511.
    static let publishedRows = 510...512

    let rowCount: Int
    /// Row after row.
    private let numbers: [Float]

    init(numbers: [Float]) throws(Failure) {
        guard !numbers.isEmpty, numbers.count % Self.width == 0 else {
            throw Failure(description: "has \(numbers.count) numbers, which make no rows of \(Self.width)")
        }
        guard numbers.allSatisfy(\.isFinite) else { throw Failure(description: "holds numbers that are none (NaN)") }
        self.numbers = numbers
        rowCount = numbers.count / Self.width
    }

    /// The row for that many tokens, pads not counted; the last one for more.
    func row(forTokens count: Int) -> ArraySlice<Float> {
        let row = min(max(count, 0), rowCount - 1)
        return numbers[row * Self.width..<(row + 1) * Self.width]
    }

    /// The weighted sum of the rows of several voices, each of its own length.
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
