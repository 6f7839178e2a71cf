/// A frame that cannot be decoded.
package struct MalformedFrame: Error, Equatable, Sendable {
    package init() {}
}

/// Decodes the values of a frame in the order in which `FrameWriter` encoded them. Never reads past the end of the
/// frame and does not trust counts in the data.
package struct FrameReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func raw(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else { throw MalformedFrame() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    package mutating func remaining() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }

    package mutating func read<Value: Frame>(_: Value.Type = Value.self) throws -> Value { try Value(from: &self) }

    /// Returns all remaining bytes as samples.
    package mutating func samples() throws -> [Float] {
        guard rest.count.isMultiple(of: 4) else { throw MalformedFrame() }
        let bytes = remaining()
        return [Float](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            count = bytes.count / 4
        }
    }

    package mutating func list<Element>(
        _ one: (inout FrameReader) throws -> Element
    ) throws -> [Element] {
        let count = try read(UInt32.self)
        var list: [Element] = []
        // Each element takes at least one byte, so an incorrect count fails early instead of reserving memory.
        guard Int(count) <= rest.count else { throw MalformedFrame() }
        for _ in 0..<count { list.append(try one(&self)) }
        return list
    }

    package func end() throws {
        guard rest.isEmpty else { throw MalformedFrame() }
    }
}
