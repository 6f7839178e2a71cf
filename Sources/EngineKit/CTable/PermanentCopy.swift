/// Memory that is never changed and never freed, so any thread may keep its address.
struct PermanentCopy<Pointee>: Sendable {
    private let address: UInt

    init(_ pointer: UnsafePointer<Pointee>) { address = UInt(bitPattern: pointer) }

    /// Copies the value to new memory.
    init(_ value: Pointee) {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
        memory.initialize(to: value)
        self.init(memory)
    }

    /// Copies the values to new memory, one after the other.
    init(_ values: [Pointee]) {
        let memory = UnsafeMutableBufferPointer<Pointee>.allocate(capacity: max(values.count, 1))
        _ = memory.initialize(from: values)
        address = UInt(bitPattern: memory.baseAddress)
    }

    var pointer: UnsafePointer<Pointee> {
        guard let pointer = UnsafePointer<Pointee>(bitPattern: address) else {
            preconditionFailure("the address of a pointer is never 0")
        }
        return pointer
    }
}

extension PermanentCopy<CChar> {
    init(_ string: String) { self.init(Array(string.utf8CString)) }
}
