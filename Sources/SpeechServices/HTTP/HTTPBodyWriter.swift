/// Writes the body of an answer after its head: ``HTTPResponse/begin(_:answering:closing:at:)`` makes it. What it returns is
/// sent in order.
package struct HTTPBodyWriter: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// More was written than the head announced.
        case tooLong
        /// Bytes are missing that the head announced. The connection must be closed, so that the other end sees it.
        case tooShort(by: Int)
    }

    enum Framing: Equatable, Sendable {
        /// What is written is dropped: the answer to HEAD, or a status without a body.
        case none
        /// So many bytes are left.
        case length(Int)
        case chunks
        /// The end of the connection is the end of the body (HTTP/1.0).
        case untilClose
    }

    /// The status line and the headers, which are sent first.
    package let head: [UInt8]
    /// Whether the connection is to be closed after the body, as the head says.
    package let isLast: Bool
    private var framing: Framing

    init(head: [UInt8], isLast: Bool, framing: Framing) {
        self.head = head
        self.isLast = isLast
        self.framing = framing
    }

    /// Whether a body is sent at all; if not, it need not be made.
    package var hasBody: Bool { framing != .none }

    /// Whether the other end sees by itself that a body is not whole when the connection ends.
    package var showsItsEnd: Bool { framing != .untilClose }

    /// What is sent for the next part of the body.
    package mutating func bytes(of part: [UInt8]) throws(Failure) -> [UInt8] {
        switch framing {
        case .none: return []
        case .untilClose: return part
        case .length(let left):
            guard part.count <= left else { throw .tooLong }
            framing = .length(left - part.count)
            return part
        case .chunks:
            // An empty chunk would be the end.
            if part.isEmpty { return [] }
            return Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [0x0D, 0x0A]
        }
    }

    /// What is sent after the last part. Whoever cannot make the whole body must not call it, but close the connection.
    package mutating func end() throws(Failure) -> [UInt8] {
        switch framing {
        case .length(let left) where left > 0: throw .tooShort(by: left)
        case .chunks:
            framing = .none
            return Array("0\r\n\r\n".utf8)
        default: return []
        }
    }
}
