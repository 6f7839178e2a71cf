/// An event of a stream that is `text/event-stream` (HTML Standard, "Server-sent events").
package struct ServerSentEvent: Equatable, Sendable {
    /// Keeps a connection open on which nothing happens; no event to the page.
    package static let comment = Array(":\n\n".utf8)

    package let type: String?
    package let id: String?
    package let data: String

    /// Nil if the type or the id contains a line break, or the id a NUL.
    ///
    /// - Parameter data: the page gets its line breaks, of whatever kind, as LF.
    package init?(type: String? = nil, id: String? = nil, data: String) {
        for text in [type, id] where text?.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) == true {
            return nil
        }
        self.type = type
        self.id = id
        self.data = data
    }

    package var bytes: [UInt8] {
        var text: [UInt8] = []
        if let type { text += Array("event: \(type)\n".utf8) }
        if let id { text += Array("id: \(id)\n".utf8) }
        text += Array("data: ".utf8)
        var isAfterReturn = false
        for byte in data.utf8 {
            switch byte {
            case 0x0A where isAfterReturn: break
            case 0x0A, 0x0D: text += Array("\ndata: ".utf8)
            default: text.append(byte)
            }
            isAfterReturn = byte == 0x0D
        }
        return text + Array("\n\n".utf8)
    }
}
