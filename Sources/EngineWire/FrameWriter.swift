/// Builds a frame: little-endian integers; a string is its UTF-8 length and bytes; an optional a byte before it.
package struct FrameWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 64) { bytes.reserveCapacity(count) }

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ number: Float) { write(number.bitPattern) }

    package mutating func write(_ flag: Bool) { write(flag ? 1 : 0 as UInt8) }

    package mutating func write(_ string: String) {
        var string = string
        string.withUTF8 {
            write(UInt32($0.count))
            bytes.append(contentsOf: $0)
        }
    }

    package mutating func write(_ string: String?) {
        write(string != nil)
        if let string { write(string) }
    }

    /// Text for people, which may come from an engine: cut to `longestWords`, so that the frame always fits the socket.
    package mutating func write(words: String) { write(words.cut(toBytes: longestWords)) }

    package mutating func write(words: String?) { write(words?.cut(toBytes: longestWords)) }

    package mutating func write(_ samples: UnsafeBufferPointer<Float>) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(samples))
    }

    package mutating func write(_ range: ClosedRange<Float>) {
        write(range.lowerBound)
        write(range.upperBound)
    }

    package mutating func write(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    package mutating func write<Element>(_ list: [Element], _ one: (inout FrameWriter, Element) -> Void) {
        write(UInt32(list.count))
        for element in list { one(&self, element) }
    }
}
