/// Keeps the bytes of an encoded sound until they are taken; to the encoder it is a stream.
final class MemoryDestination: EncodedDestination {
    private var bytes: [UInt8] = []

    let isRegularFile = false
    private(set) var count = 0

    /// What came since the last call.
    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    func write(_ bytes: UnsafeRawBufferPointer, unit: Int) -> Bool {
        self.bytes.append(contentsOf: bytes)
        count += bytes.count
        return true
    }

    func rewrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {}

    func truncate(to count: Int) {}

    func close() {}
}
