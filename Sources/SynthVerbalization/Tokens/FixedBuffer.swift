/// Plain values that never change, at a fixed address. Reading them counts no references, which is what most of the work of
/// matching would be otherwise.
final class FixedBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // Written by `init` only.
    private let storage: UnsafeMutableBufferPointer<Element>

    init(_ elements: some Collection<Element>) {
        storage = .allocate(capacity: elements.count)
        _ = storage.initialize(fromContentsOf: elements)
    }

    deinit { storage.deallocate() }

    var count: Int { storage.count }

    /// Traps outside of the buffer.
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < storage.count)
        return storage[index]
    }
}
