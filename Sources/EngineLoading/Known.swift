/// The fields of a struct that the other side has written; the rest is zero. Every struct of the interface begins with
/// its size; `pointee` would read past the end of an older, shorter one.
package func known<Struct: BitwiseCopyable>(_ pointer: UnsafePointer<Struct>) -> Struct {
    withUnsafeTemporaryAllocation(of: Struct.self, capacity: 1) { copy in
        let bytes = UnsafeMutableRawBufferPointer(copy)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        let size = Int(UnsafeRawPointer(pointer).load(as: UInt32.self))
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, bytes.count)))
        return copy[0]
    }
}

/// A string of the other side; nil if it is NULL or not UTF-8.
package func known(_ string: UnsafePointer<CChar>?) -> String? {
    string.flatMap { String(validatingCString: $0) }
}
