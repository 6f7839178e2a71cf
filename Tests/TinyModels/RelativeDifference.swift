/// Returns the maximum difference between two signals, relative to the peak of the first; infinite if their lengths
/// differ.
package func relativeDifference(_ first: [Float], _ second: [Float]) -> Float {
    guard first.count == second.count, !first.isEmpty else { return .infinity }
    var (peak, difference): (Float, Float) = (0, 0)
    first.withUnsafeBufferPointer { first in
        second.withUnsafeBufferPointer { second in
            // This is a plain loop, because without optimization a loop is several times faster than `zip` and
            // `reduce`.
            var index = 0
            while index < first.count {
                let one = (first[index] - second[index]).magnitude
                if !(one <= difference) { difference = one.isNaN ? .infinity : one }
                if first[index].magnitude > peak { peak = first[index].magnitude }
                index += 1
            }
        }
    }
    return peak > 0 && difference.isFinite ? difference / peak : .infinity
}
