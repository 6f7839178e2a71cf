/// A 64-bit digest that detects damaged or replaced content but does not protect against deliberate forgery. It
/// processes several bytes per cycle.
///
/// The digest uses four multiply-and-rotate lanes over 8-byte words. The result does not depend on how the input is
/// divided.
package struct ContentDigest {
    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let spread: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let blockSize = 32

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    private var count: UInt64 = 0
    private var pending: [UInt8] = []

    package init() {}

    package static func of(_ text: String) -> UInt64 {
        var digest = ContentDigest()
        digest.update(Array(text.utf8))
        return digest.value
    }

    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let missing = rest.prefix(Self.blockSize - pending.count)
            pending.append(contentsOf: missing)
            rest = rest.dropFirst(missing.count)
            guard pending.count == Self.blockSize else { return }
            let block = pending
            block.withUnsafeBytes { mix($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.count - rest.count % Self.blockSize
        mix(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
        pending.append(contentsOf: rest.dropFirst(whole))
    }

    package var value: UInt64 {
        var result = count
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { result = Self.step(result, lane) }
        for byte in pending { result = Self.step(result, UInt64(byte)) }
        result ^= result >> 32
        result = result &* Self.multiplier
        return result ^ (result >> 29)
    }

    private mutating func mix(_ blocks: UnsafeRawBufferPointer) {
        var lanes = self.lanes
        for offset in stride(from: 0, to: blocks.count, by: Self.blockSize) {
            lanes.0 = Self.step(lanes.0, blocks.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            lanes.1 = Self.step(lanes.1, blocks.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            lanes.2 = Self.step(lanes.2, blocks.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            lanes.3 = Self.step(lanes.3, blocks.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
        }
        self.lanes = lanes
    }

    /// Multiplies both before and after the rotation; otherwise, the next word could cancel a change in the highest
    /// bits of the current one.
    private static func step(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = lane &+ word &* spread
        return (mixed << 31 | mixed >> 33) &* multiplier
    }
}
