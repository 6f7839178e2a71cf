package import SynthSystem

// The encoding of values in frames. Integers are little-endian; a string is its UTF-8 length followed by its bytes; an
// optional is preceded by a flag byte, and a list by its length.

extension UInt8: Frame {}
extension UInt32: Frame {}
extension UInt64: Frame {}
extension Int32: Frame {}
extension Int64: Frame {}

extension Frame where Self: FixedWidthInteger {
    package func write(to frame: inout FrameWriter) { withUnsafeBytes(of: littleEndian) { frame.write(raw: $0) } }

    package init(from frame: inout FrameReader) throws {
        let bytes = try frame.raw(MemoryLayout<Self>.size)
        self = Self(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) })
    }
}

extension Frame where Self: RawRepresentable, RawValue: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(rawValue) }

    package init(from frame: inout FrameReader) throws {
        guard let value = Self(rawValue: try frame.read()) else { throw MalformedFrame() }
        self = value
    }
}

extension Confinement.Gap: Frame {}

extension Errno: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(code) }

    package init(from frame: inout FrameReader) throws { self.init(try frame.read()) }
}

extension Float: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(bitPattern) }

    package init(from frame: inout FrameReader) throws { self.init(bitPattern: try frame.read()) }
}

extension Bool: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(self ? 1 : 0 as UInt8) }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 0: self = false
        case 1: self = true
        default: throw MalformedFrame()
        }
    }
}

extension String: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(UInt32(utf8.count))
        frame.write(raw: utf8)
    }

    package init(from frame: inout FrameReader) throws {
        let count = try frame.read(UInt32.self)
        guard let string = String(validating: try frame.raw(Int(count)), as: UTF8.self) else { throw MalformedFrame() }
        self = string
    }
}

extension Optional: Frame where Wrapped: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(self != nil)
        if let value = self { value.write(to: &frame) }
    }

    package init(from frame: inout FrameReader) throws {
        self = try frame.read(Bool.self) ? try frame.read(Wrapped.self) : nil
    }
}

extension Array: Frame where Element: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(UInt32(count))
        for element in self { element.write(to: &frame) }
    }

    package init(from frame: inout FrameReader) throws { self = try frame.list { frame in try frame.read() } }
}

extension Range: Frame where Bound: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(lowerBound, upperBound) }

    package init(from frame: inout FrameReader) throws {
        let (from, to) = (try frame.read(Bound.self), try frame.read(Bound.self))
        guard from <= to else { throw MalformedFrame() }
        self = from..<to
    }
}

extension ClosedRange<Float>: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(lowerBound, upperBound) }

    /// Reads a range with finite bounds in ascending order.
    package init(from frame: inout FrameReader) throws {
        let (low, high) = (try frame.read(Float.self), try frame.read(Float.self))
        guard low.isFinite, high.isFinite, low <= high else { throw MalformedFrame() }
        self = low...high
    }
}

extension Range<Int> {
    /// The range as 32-bit text offsets, for encoding.
    var offsets: Range<UInt32> { UInt32(clamping: lowerBound)..<UInt32(clamping: upperBound) }

    init(_ offsets: Range<UInt32>) { self = Int(offsets.lowerBound)..<Int(offsets.upperBound) }
}
