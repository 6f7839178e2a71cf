/// Memory that is never changed and never freed, so any thread may keep its address.
struct PermanentCopy<Pointee>: Sendable {
    nonisolated(unsafe) let pointer: UnsafePointer<Pointee>

    init(_ pointer: UnsafePointer<Pointee>) { self.pointer = pointer }

    /// Copies the value to new memory.
    init(_ value: Pointee) { self.init([value]) }

    /// Copies the values to new memory, one after the other.
    init(_ values: [Pointee]) {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        pointer = UnsafePointer(memory)
    }
}

extension PermanentCopy<CChar> {
    init(_ string: String) { self.init(Array(string.utf8CString)) }
}
