package import CSynthEngine
package import EngineWire

/// The memory in which an engine writes why a call failed.
package struct ErrorBuffer: ~Copyable {
    private let message: UnsafeMutableBufferPointer<CChar>
    private let error: UnsafeMutablePointer<synth_error>

    package init() {
        message = .allocate(capacity: 1024)
        message.initialize(repeating: 0)
        error = .allocate(capacity: 1)
        error.initialize(to: synth_error())
        error.pointee.struct_size = UInt32(MemoryLayout<synth_error>.size)
        error.pointee.capacity = UInt32(message.count)
        error.pointee.message = message.baseAddress
    }

    deinit {
        error.deallocate()
        message.deallocate()
    }

    package var pointer: UnsafeMutablePointer<synth_error> { error }

    /// The error of a status other than OK and CANCELLED; nil for these two and for an unknown status.
    package func error(of status: synth_status) -> EngineError? {
        // An engine may have overwritten the last byte.
        message[message.count - 1] = 0
        let words = message.baseAddress.map { String(cString: $0) } ?? ""
        guard let kind = EngineError.Kind(rawValue: UInt8(clamping: status.rawValue)), kind != .violatedContract else {
            return nil
        }
        return EngineError(kind, words, role: known(UnsafePointer(error.pointee.role)))
    }
}
