/// The minimum of the latest `window` values, in amortized constant time per value.
///
/// A monotonic queue in a ring buffer: it keeps the values that can still become the minimum, in rising order.
struct SlidingMinimum {
    private var values: [Int64]
    private var positions: [Int]
    private var first = 0
    private var count = 0
    private var position = 0

    init(window: Int) {
        values = Array(repeating: 0, count: max(window, 1))
        positions = Array(repeating: 0, count: max(window, 1))
    }

    mutating func push(_ value: Int64) -> Int64 {
        let window = values.count
        if count > 0 && positions[first] <= position - window {
            first = (first + 1) % window
            count -= 1
        }
        while count > 0 && values[(first + count - 1) % window] >= value { count -= 1 }
        let slot = (first + count) % window
        values[slot] = value
        positions[slot] = position
        count += 1
        position += 1
        return values[first]
    }
}
