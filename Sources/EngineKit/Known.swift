import CSynthEngine

/// The fields that the other side wrote, the rest zero. `pointee` would read past the end of an older, shorter struct.
func known<Struct: BitwiseCopyable>(_ pointer: UnsafePointer<Struct>) -> Struct {
    withUnsafeTemporaryAllocation(of: Struct.self, capacity: 1) { copy in
        let bytes = UnsafeMutableRawBufferPointer(copy)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        let size = Int(UnsafeRawPointer(pointer).load(as: UInt32.self))
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, bytes.count)))
        return copy[0]
    }
}
