/// A number that a check measured.
package struct Measurement: Equatable, Sendable {
    /// "first audio"
    package var name: String
    package var value: Double
    /// "ms", "kB"; empty for a count.
    package var unit: String

    package init(_ name: String, _ value: Double, _ unit: String = "") {
        self.name = name
        self.value = value
        self.unit = unit
    }
}
