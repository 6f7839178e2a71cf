import Glibc

/// Determines the time of each token from the decoder's attention at the moment it predicts that token.
///
/// As in OpenAI's `timing.py`, the decoder processes the text once more. For each alignment head, the rows of attention
/// are normalized to a sum of 1 over the audio, and the frames to mean 0 and standard deviation 1 over the tokens.
/// Then, a median filter over 7 frames is applied. The negated mean over the heads is the cost of a monotonic path
/// through tokens and frames (dynamic time warping).
struct WordTimes {
    /// The number of seconds per encoder position.
    static let secondsPerColumn = 0.02
    private static let median = 7

    private let rows: Int
    private let columns: Int
    private var sum: [Float]
    private var headCount = 0

    /// - Parameters:
    ///   - rows: The number of tokens, including the prompt and the end token.
    ///   - columns: The number of encoder positions with audio, without the padding; at least 1.
    init(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, max(columns, 1))
        sum = [Float](repeating: 0, count: rows * max(columns, 1))
    }

    /// Adds a head's attention.
    ///
    /// - Parameters:
    ///   - weights: `rows` rows of `width` numbers.
    ///   - width: The row length, at least `columns`; otherwise, the head is ignored.
    mutating func add(_ weights: some RandomAccessCollection<Float>, width: Int) {
        guard width >= columns, weights.count == rows * width else { return }
        var look = [Float](repeating: 0, count: rows * columns)
        for row in 0..<rows {
            let part = weights.dropFirst(row * width).prefix(columns)
            let whole = max(part.reduce(0, +), .leastNormalMagnitude)
            for (column, weight) in part.enumerated() { look[row * columns + column] = weight / whole }
        }
        for column in 0..<columns {
            var (mean, square) = (Float(0), Float(0))
            for row in 0..<rows { mean += look[row * columns + column] }
            mean /= Float(rows)
            for row in 0..<rows {
                let difference = look[row * columns + column] - mean
                square += difference * difference
            }
            let deviation = (square / Float(rows)).squareRoot() + 1e-9
            for row in 0..<rows { look[row * columns + column] = (look[row * columns + column] - mean) / deviation }
        }
        for row in 0..<rows {
            let smooth = Self.smoothed(look[row * columns..<(row + 1) * columns])
            for (column, number) in smooth.enumerated() where number.isFinite { sum[row * columns + column] += number }
        }
        headCount += 1
    }

    /// Returns the start and end of each text token, in seconds from the start of the window; `nil` if no head was
    /// added.
    ///
    /// - Parameter text: The rows that predict the text's tokens. Each row predicts the next token, and the row after this
    ///   range predicts the end.
    func spans(_ text: Range<Int>) -> [ClosedRange<Double>]? {
        guard headCount > 0, text.lowerBound >= 0, text.upperBound < rows, !text.isEmpty else { return nil }
        let starts = self.starts(text.lowerBound..<text.upperBound + 1)
        return (0..<text.count).map { position in
            let start = Double(starts[position]) * Self.secondsPerColumn
            return start...max(start, Double(starts[position + 1]) * Self.secondsPerColumn)
        }
    }

    /// Returns the first column of each row on the cheapest path.
    private func starts(_ chosen: Range<Int>) -> [Int] {
        enum Move: UInt8 { case both, row, column }
        let (height, width) = (chosen.count, columns + 1)
        var moves = [Move](repeating: .both, count: (height + 1) * width)
        var above = [Float](repeating: .infinity, count: width)
        above[0] = 0
        for row in 1...height {
            var here = [Float](repeating: .infinity, count: width)
            for column in 1...columns {
                var (move, least) = (Move.both, above[column - 1])
                if above[column] < least { (move, least) = (.row, above[column]) }
                if here[column - 1] < least { (move, least) = (.column, here[column - 1]) }
                moves[row * width + column] = move
                here[column] = least - sum[(chosen.lowerBound + row - 1) * columns + column - 1] / Float(headCount)
            }
            above = here
        }
        var starts = [Int](repeating: 0, count: height)
        var (row, column) = (height, columns)
        while row > 0, column > 0 {
            starts[row - 1] = column - 1
            switch moves[row * width + column] {
            case .both: (row, column) = (row - 1, column - 1)
            case .row: row -= 1
            case .column: column -= 1
            }
        }
        return starts
    }

    /// Applies a median filter over 7 numbers, with reflection at both ends.
    private static func smoothed(_ numbers: ArraySlice<Float>) -> [Float] {
        let numbers = Array(numbers)
        let reach = median / 2
        guard numbers.count > reach else { return numbers }
        var near = [Float](repeating: 0, count: median)
        return numbers.indices.map { position in
            for offset in -reach...reach {
                var from = abs(position + offset)
                if from >= numbers.count { from = 2 * (numbers.count - 1) - from }
                near[offset + reach] = numbers[from]
            }
            for index in 1..<near.count {
                let number = near[index]
                var slot = index
                while slot > 0, near[slot - 1] > number {
                    near[slot] = near[slot - 1]
                    slot -= 1
                }
                near[slot] = number
            }
            return near[reach]
        }
    }
}
