import CONNXRuntime

extension OrtCustomOp {
    /// What is common to all operators of our own: they read tensors of floats and write one. A kernel is an object that
    /// the library keeps.
    static var ofFloats: OrtCustomOp {
        var description = OrtCustomOp()
        description.version = UInt32(ORT_API_VERSION)
        description.GetExecutionProviderType = { _ in nil }
        description.GetInputType = { _, _ in ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT }
        description.GetInputMemoryType = { _, _ in OrtMemTypeDefault }
        description.GetOutputTypeCount = { _ in 1 }
        description.GetOutputType = { _, _ in ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT }
        description.GetOutputCharacteristic = { _, _ in INPUT_OUTPUT_REQUIRED }
        description.GetInputCharacteristic = { _, _ in INPUT_OUTPUT_REQUIRED }
        description.GetStartVersion = { _ in 1 }
        description.GetEndVersion = { _ in .max }
        description.KernelDestroy = { kernel in
            guard let kernel else { return }
            Unmanaged<AnyObject>.fromOpaque(kernel).release()
        }
        return description
    }
}
