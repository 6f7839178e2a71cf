import LocatedJSON
import System

/// A metric with its samples in Prometheus' text format, version 0.0.4.
struct MetricFamily {
    enum Kind: String {
        /// Only grows, as long as the service runs.
        case counter
        case gauge, summary
    }
    private struct Sample {
        let name: String
        let labels: [(name: String, value: String)]
        let value: Double
    }

    private let name: String
    private let kind: Kind
    private let help: String
    private var samples: [Sample] = []

    /// - Parameter name: with its unit, without the prefix of this program.
    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = "synthhost_\(name)"
        self.kind = kind
        self.help = help
    }

    mutating func add(_ value: Double, _ labels: [(name: String, value: String)] = []) {
        samples.append(Sample(name: name, labels: labels, value: value))
    }

    /// The samples of a summary.
    mutating func add(_ quantiles: Quantiles) {
        for share in [0.5, 0.9, 0.99] {
            guard let duration = quantiles.quantile(share) else { continue }
            add(duration.seconds, [("quantile", Self.text(of: share))])
        }
        samples.append(Sample(name: "\(name)_sum", labels: [], value: quantiles.sum.seconds))
        samples.append(Sample(name: "\(name)_count", labels: [], value: Double(quantiles.total)))
    }

    /// Nothing if there is no sample.
    var text: String {
        if samples.isEmpty { return "" }
        return "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind)\n" + samples.map(Self.line).joined()
    }

    private static func line(_ sample: Sample) -> String {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        return "\(sample.name)\(labels.isEmpty ? "" : "{\(labels)}") \(text(of: sample.value))\n"
    }

    private static func text(of number: Double) -> String { JSONWriter.text(of: number) }

    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
