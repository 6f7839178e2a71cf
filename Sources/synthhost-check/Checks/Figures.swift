import SynthEngineChecks
import SynthSystem

extension Duration {
    var milliseconds: Double { seconds * 1000 }
}

extension Double {
    /// With one digit after the point, or two if it is small.
    var short: String {
        guard isFinite, magnitude < 1e12 else { return "\(self)" }
        let digits = magnitude < 1 ? 2 : 1
        let scale = digits == 2 ? 100 : 10
        let scaled = Int((self * Double(scale)).rounded())
        let fraction = String(Int(scaled.magnitude) % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(scaled < 0 ? "-" : "")\(Int(scaled.magnitude) / scale).\(zeros)\(fraction)"
    }
}

extension Array where Element == Double {
    /// The value that this share of all values does not exceed; 0 if there are none.
    func percentile(_ share: Double) -> Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}
