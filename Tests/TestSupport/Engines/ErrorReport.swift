package import CSynthEngine

/// The caller's `synth_error`, with a message buffer of `capacity` bytes.
package final class ErrorReport {
    /// A status and its message.
    package struct Failure: Error, Equatable {
        package let status: synth_status
        package let message: String
        package let role: String?

        package init(status: synth_status, message: String, role: String?) {
            self.status = status
            self.message = message
            self.role = role
        }
    }

    package let pointer: UnsafeMutablePointer<synth_error>
    private let message: UnsafeMutablePointer<CChar>

    package init(capacity: Int = 512) {
        message = .allocate(capacity: capacity + 1)
        message.initialize(repeating: 0, count: capacity + 1)
        message[capacity] = 0x7F
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: synth_error())
        pointer.pointee.struct_size = UInt32(MemoryLayout<synth_error>.size)
        pointer.pointee.capacity = UInt32(capacity)
        pointer.pointee.message = message
    }

    deinit {
        message.deallocate()
        pointer.deallocate()
    }

    /// Whether nothing was written past the end of the buffer.
    package var isIntact: Bool { message[Int(pointer.pointee.capacity)] == 0x7F }

    package func failure(_ status: synth_status) -> Failure {
        Failure(
            status: status, message: pointer.pointee.capacity == 0 ? "" : String(cString: message),
            role: pointer.pointee.role.map { String(cString: $0) })
    }
}
