/// A value that is sent as one frame.
package protocol Frame: Sendable {
    func write(to frame: inout FrameWriter)
    init(from frame: inout FrameReader) throws(MalformedFrame)
}

extension Frame {
    package var frameBytes: [UInt8] {
        var frame = FrameWriter()
        write(to: &frame)
        return frame.bytes
    }

    /// Decodes a whole frame. Throws also if bytes are left over.
    package init(frameBytes: ArraySlice<UInt8>) throws(MalformedFrame) {
        var frame = FrameReader(frameBytes)
        try self.init(from: &frame)
        try frame.end()
    }
}
