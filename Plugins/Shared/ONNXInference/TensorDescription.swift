import CONNXRuntime

/// What a model declares about one of its inputs or outputs.
public struct TensorDescription: Sendable, Equatable {
    public enum Element: Sendable {
        case float32, float16, float64, int32, int64
        /// Strings, maps and number formats that no speech model uses.
        case other

        init(_ type: ONNXTensorElementDataType) {
            switch type {
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: self = .float32
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16: self = .float16
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: self = .float64
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32: self = .int32
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64: self = .int64
            default: self = .other
            }
        }
    }

    public var name: String
    public var element: Element
}
