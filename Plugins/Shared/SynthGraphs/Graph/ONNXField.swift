/// The field numbers of `onnx.proto` that are used here.
package enum ONNXField {
    /// Fields of `ModelProto`.
    package enum Model {
        package static let graph: UInt64 = 7
        package static let operatorSet: UInt64 = 8
    }
    /// Fields of `OperatorSetIdProto`.
    package enum OperatorSet {
        package static let domain: UInt64 = 1
        package static let version: UInt64 = 2
    }
    /// Fields of `GraphProto`.
    package enum Graph {
        package static let node: UInt64 = 1
        static let initializer: UInt64 = 5
        package static let input: UInt64 = 11
        package static let output: UInt64 = 12
        static let valueInfo: UInt64 = 13
    }
    enum Node {
        static let input: UInt64 = 1
        static let output: UInt64 = 2
        static let operation: UInt64 = 4
        static let attribute: UInt64 = 5
        static let domain: UInt64 = 7
    }
    /// Fields of `AttributeProto`.
    package enum Attribute {
        package static let name: UInt64 = 1
        static let float: UInt64 = 2
        static let integer: UInt64 = 3
        static let text: UInt64 = 4
        package static let tensor: UInt64 = 5
        static let graph: UInt64 = 6
        static let floats: UInt64 = 7
        static let integers: UInt64 = 8
        static let graphs: UInt64 = 11
        package static let type: UInt64 = 20
    }
    enum Value {
        static let name: UInt64 = 1
        static let type: UInt64 = 2
    }
    enum ValueType { static let tensor: UInt64 = 1 }
    enum TensorType {
        static let element: UInt64 = 1
        static let shape: UInt64 = 2
    }
    enum Shape { static let dimension: UInt64 = 1 }
    enum Dimension { static let number: UInt64 = 1 }
    enum Tensor {
        static let dimensions: UInt64 = 1
        static let type: UInt64 = 2
        static let floats: UInt64 = 4
        static let integers: UInt64 = 5
        static let name: UInt64 = 8
        static let raw: UInt64 = 9
        static let externalData: UInt64 = 13
        static let location: UInt64 = 14
    }
    enum Entry {
        static let key: UInt64 = 1
        static let value: UInt64 = 2
    }
}
