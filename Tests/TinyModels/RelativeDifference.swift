/// The largest difference of two sounds in relation to the peak of the first; infinite if their lengths differ.
package func relativeDifference(_ first: [Float], _ second: [Float]) -> Float {
    guard first.count == second.count, !first.isEmpty else { return .infinity }
    let peak = first.reduce(0) { max($0, $1.magnitude) }
    let difference = zip(first, second).reduce(Float(0)) { max($0, ($1.0 - $1.1).magnitude) }
    return peak > 0 && difference.isFinite ? difference / peak : .infinity
}
