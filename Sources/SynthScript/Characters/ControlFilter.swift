/// Replaces each byte of control characters, byte order marks and terminal escape sequences (ECMA-48) with a space,
/// which makes it possible to speak the colored output of terminal programs.
///
/// Byte offsets do not change. All kinds of line breaks become U+000A, page and paragraph breaks become U+000C, and no
/// other control characters remain.
struct ControlFilter: Sendable {
    private enum State {
        case text
        case afterReturn
        case escape
        case controlSequence
        case string
        case stringEscape
    }

    static let lineBreak: UInt8 = 0x0A
    static let paragraphBreak: UInt8 = 0x0C
    private static let space: UInt8 = 0x20
    /// The maximum length of a control string in bytes. The terminator of a longer control string is probably missing,
    /// so the bytes beyond this limit are treated as text.
    private static let longestString = 4_096

    private var state = State.text
    private var stringBytes = 0

    /// Filters `bytes` and appends the result to `output`. The input must be valid UTF-8 as a whole, but may be split
    /// into chunks at any byte.
    mutating func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if state == .text, byte >= 0x20, byte < 0x7F {
                output.append(byte)
            } else {
                take(byte, into: &output)
            }
        }
    }

    private mutating func take(_ byte: UInt8, into output: inout [UInt8]) {
        switch state {
        case .text: takeText(byte, into: &output)
        case .afterReturn:
            state = .text
            if byte == 0x0A { output.append(Self.space) } else { takeText(byte, into: &output) }
        case .escape: takeEscape(byte, into: &output)
        case .controlSequence:
            if byte < 0x20 || byte > 0x3F { state = .text }
            if (0x20...0x7E).contains(byte) { output.append(Self.space) } else { takeText(byte, into: &output) }
        case .string: takeString(byte, into: &output)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") {
                output.append(Self.space)
                state = .text
            } else {
                state = .escape
                takeEscape(byte, into: &output)
            }
        }
    }

    private mutating func takeText(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case 0x0A, 0x0B: output.append(Self.lineBreak)
        case 0x0C: output.append(Self.paragraphBreak)
        case 0x0D:
            output.append(Self.lineBreak)
            state = .afterReturn
        case 0x1B:
            output.append(Self.space)
            state = .escape
        case 0x00..<0x20, 0x7F: output.append(Self.space)
        case 0x80...0xBF: takeContinuation(byte, into: &output)
        default: output.append(byte)
        }
    }

    private mutating func takeContinuation(_ byte: UInt8, into output: inout [UInt8]) {
        let count = output.count
        if byte < 0xA0, count >= 1, output[count - 1] == 0xC2 {
            output[count - 1] = byte == 0x85 ? Self.lineBreak : Self.space
            output.append(Self.space)
            if byte == 0x9B { state = .controlSequence }
        } else if byte == 0xA8 || byte == 0xA9, count >= 2, output[count - 1] == 0x80, output[count - 2] == 0xE2 {
            output[count - 2] = byte == 0xA8 ? Self.lineBreak : Self.paragraphBreak
            output[count - 1] = Self.space
            output.append(Self.space)
        } else if byte == 0xBF, count >= 2, output[count - 1] == 0xBB, output[count - 2] == 0xEF {
            output[count - 2] = Self.space
            output[count - 1] = Self.space
            output.append(Self.space)
        } else {
            output.append(byte)
        }
    }

    private mutating func takeEscape(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case 0x20...0x2F: break
        case UInt8(ascii: "["): state = .controlSequence
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            (state, stringBytes) = (.string, 0)
        default: state = .text
        }
        if (0x20...0x7E).contains(byte) { output.append(Self.space) } else { takeText(byte, into: &output) }
    }

    private mutating func takeString(_ byte: UInt8, into output: inout [UInt8]) {
        stringBytes += 1
        // Never end an overlong control string at a continuation byte, because that would split a character.
        let isTooLong = stringBytes > Self.longestString && byte & 0xC0 != 0x80
        if isTooLong || byte == 0x0A || byte == 0x0C || byte == 0x0D {
            state = .text
            takeText(byte, into: &output)
            return
        }
        output.append(Self.space)
        switch byte {
        case 0x07: state = .text
        case 0x1B: state = .stringEscape
        default: break
        }
    }
}
