/// Structs as a later version of the interface would hand them over.
enum LongerStruct {
    /// The struct, followed by `extra` bytes of garbage. Never freed.
    static func copy<Struct: BitwiseCopyable>(of value: Struct, extra: Int) -> UnsafeMutablePointer<Struct> {
        let size = MemoryLayout<Struct>.size
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size + extra, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0xA5, count: size + extra)
        let copy = memory.bindMemory(to: Struct.self, capacity: 1)
        copy.pointee = value
        return copy
    }
}
