/// Parses a speech-dispatcher module's output in the same way as the server does. A message may have several lines, the
/// last of which has a space after the code.
package struct ModuleMessages {
    /// A message, with its lines and its audio.
    package struct Message: Equatable {
        /// The lines, except for the audio line.
        package var lines: [String] = []
        /// The unescaped audio.
        package var bytes: [UInt8] = []

        package var last: String { lines.last ?? "" }
        package var code: String { String(last.prefix(3)) }

        package var sound: [Int16] {
            stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)
            }
        }
    }

    private var input: [UInt8] = []
    private var position = 0
    private var message = Message()

    package init() {}

    /// Whether all input has been consumed.
    package var isEmpty: Bool { position == input.count && message == Message() }

    package mutating func append(_ bytes: some Sequence<UInt8>) { input += bytes }

    /// Returns the next message; `nil` if it is incomplete.
    package mutating func next() -> Message? {
        while let end = input[position...].firstIndex(of: 0x0A) {
            let line = input[position..<end]
            position = end + 1
            let head = Array("705-AUDIO\0".utf8)
            if line.starts(with: head) {
                message.bytes = unescaped(line.dropFirst(head.count))
                continue
            }
            message.lines.append(String(decoding: line, as: UTF8.self))
            if line.count > 3, line[line.startIndex + 3] == 0x2D { continue }
            defer { message = Message() }
            return message
        }
        return nil
    }

    private func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                result.append(byte ^ 0x20)
                isEscaped = false
            } else if byte == 0x7D {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        return result
    }
}

extension [ModuleMessages.Message] {
    /// The messages in short form: marks by name, other events by code, and consecutive audio as a single `~`.
    package var outline: [String] {
        reduce(into: []) { outline, message in
            switch message.code {
            case "700": outline.append(String(message.lines[0].dropFirst(4)))
            case "705": if outline.last != "~" { outline.append("~") }
            default: outline.append(message.code)
            }
        }
    }

    package var frames: Int { reduce(0) { $0 + $1.sound.count } }
}
