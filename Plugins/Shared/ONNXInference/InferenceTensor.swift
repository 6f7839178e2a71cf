/// One input of a run: numbers in row-major order and their shape.
public struct InferenceTensor: Sendable {
    public enum Values: Sendable {
        case float32([Float])
        case int32([Int32])
        case int64([Int64])

        var count: Int {
            switch self {
            case .float32(let values): values.count
            case .int32(let values): values.count
            case .int64(let values): values.count
            }
        }
    }

    public var values: Values
    public var shape: [Int64]

    /// The product of `shape` must be the number of `values`.
    public init(_ values: Values, shape: [Int64]) {
        self.values = values
        self.shape = shape
    }

    public init(_ values: [Float], shape: [Int64]) {
        self.init(.float32(values), shape: shape)
    }

    public init(_ values: [Int32], shape: [Int64]) {
        self.init(.int32(values), shape: shape)
    }

    public init(_ values: [Int64], shape: [Int64]) {
        self.init(.int64(values), shape: shape)
    }
}
