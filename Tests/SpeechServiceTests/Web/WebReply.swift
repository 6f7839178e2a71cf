import SynthJSON

/// A response as seen by a client. The body may still be arriving.
struct WebReply {
    let status: Int
    /// The headers in order, with lowercase names.
    let headers: [(name: String, value: String)]
    var body: [UInt8] = []

    /// The first value of a header.
    subscript(header: String) -> String? { headers.first { $0.name == header.lowercased() }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; nil if it is not JSON.
    var json: JSONNode? { try? JSONReader.read(body) }

    /// The `code` in `{"error": {…}}`.
    var errorCode: String? { json?.text("error", "code") }

    var isChunked: Bool { self["transfer-encoding"] == "chunked" }
    var length: Int? { self["content-length"].flatMap { Int($0) } }
}

extension JSONNode {
    /// The string at a path; nil if there is none.
    func text(_ keys: String...) -> String? {
        if case .string(let text)? = value(at: keys) { text } else { nil }
    }

    func number(_ keys: String...) -> Double? {
        if case .number(let number)? = value(at: keys) { number } else { nil }
    }

    func flag(_ keys: String...) -> Bool? {
        if case .boolean(let flag)? = value(at: keys) { flag } else { nil }
    }

    /// The elements of an array; empty if there is no array.
    func elements(_ keys: String...) -> [JSONNode] {
        if case .array(let elements)? = value(at: keys) { elements } else { [] }
    }
}
