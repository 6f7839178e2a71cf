/// The progress of an operation at one moment.
package struct Progress: Equatable, Sendable {
    /// The known part of an operation that is done.
    package enum Measure: Equatable, Sendable {
        case unknown
        /// From 0 to 1.
        case fraction(Double)
        /// The bytes that are stored, and the total if it is known.
        case bytes(done: Int64, total: Int64?)
    }

    /// What the operation does: "Downloading Heart".
    package var label: String
    package var fraction: Double?
    package var bytesDone: Int64?
    package var bytesTotal: Int64?
    package var bytesPerSecond: Double?
    package var timeLeft: Duration?

    package init(
        label: String, fraction: Double? = nil, bytesDone: Int64? = nil, bytesTotal: Int64? = nil,
        bytesPerSecond: Double? = nil, timeLeft: Duration? = nil
    ) {
        self.label = label
        self.fraction = fraction
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.bytesPerSecond = bytesPerSecond
        self.timeLeft = timeLeft
    }
}
