/// Changes to a large file, described by a short input. If the first byte is odd, it is followed by an offset at which
/// the file is truncated. The remaining input consists of offsets, each followed by the byte to write there. An offset
/// is a three-byte number that wraps around at the end of the file.
package enum Edits {
    /// - Parameter places: The offsets that can be changed, or `nil` for all.
    package static func applied(_ input: [UInt8], to whole: [UInt8], places: [Int]? = nil) -> [UInt8] {
        var bytes = whole
        var rest = input[...]
        func next() -> Int? {
            guard rest.count >= 3 else { return nil }
            defer { rest = rest.dropFirst(3) }
            return rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = rest.popFirst() else { return bytes }
        if first % 2 == 1, let count = next() { bytes = Array(bytes.prefix(count % whole.count)) }
        while let position = next(), let byte = rest.popFirst() {
            let offset = places.map { $0[position % $0.count] } ?? position % whole.count
            if offset < bytes.count { bytes[offset] = byte }
        }
        return bytes
    }
}
