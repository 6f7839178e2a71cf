import CONNXRuntime

/// The attributes of a node with an operator of our own.
struct KernelAttributes {
    let api: OrtApi
    private let info: OpaquePointer

    init(_ api: OrtApi, _ info: OpaquePointer) {
        self.api = api
        self.info = info
    }

    func failure(_ message: String) -> KernelFailure { KernelFailure(api, message) }

    func float(_ name: String) throws(KernelFailure) -> Float {
        var value: Float = 0
        let status = api.KernelInfoGetAttribute_float(info, name, &value)
        if let status { throw KernelFailure(status: status) }
        return value
    }

    func integer(_ name: String) throws(KernelFailure) -> Int {
        var value: Int64 = 0
        let status = api.KernelInfoGetAttribute_int64(info, name, &value)
        if let status { throw KernelFailure(status: status) }
        return Int(value)
    }
}
