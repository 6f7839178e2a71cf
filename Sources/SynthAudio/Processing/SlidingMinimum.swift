/// The smallest of the latest `window` values, in constant time per value on average.
///
/// It keeps the values that can still become the minimum, in rising order, in a ring.
struct SlidingMinimum {
    private var values: [Int64]
    private var births: [Int]
    private var first = 0
    private var count = 0
    private var clock = 0

    init(window: Int) {
        values = Array(repeating: 0, count: max(window, 1))
        births = Array(repeating: 0, count: max(window, 1))
    }

    mutating func push(_ value: Int64) -> Int64 {
        let window = values.count
        if count > 0 && births[first] <= clock - window {
            first = (first + 1) % window
            count -= 1
        }
        while count > 0 && values[(first + count - 1) % window] >= value { count -= 1 }
        let slot = (first + count) % window
        values[slot] = value
        births[slot] = clock
        count += 1
        clock += 1
        return values[first]
    }
}
