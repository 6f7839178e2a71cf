import LocatedJSON

/// An event of the Wyoming protocol: a line of JSON, then data, then bytes.
///
/// From the protocol's README (github.com/rhasspy/wyoming): `{"type", "data"?, "data_length"?, "payload_length"?}`, a newline,
/// `data_length` bytes of JSON whose members replace those of `data`, `payload_length` bytes.
struct WyomingEvent: Equatable, Sendable {
    var type: String
    /// An object's members.
    var data: [JSONNode.Member] = []
    var payload: [UInt8] = []

    subscript(_ name: String) -> JSONNode.Value? { data.first { $0.name == name }?.node.value }

    /// The value if it is a text that is not empty.
    func text(_ name: String) -> String? {
        if case .string(let text)? = self[name], !text.isEmpty { text } else { nil }
    }

    /// The value if it is a number.
    func number(_ name: String) -> Double? {
        if case .number(let number)? = self[name] { number } else { nil }
    }

    /// As it is sent.
    var bytes: [UInt8] {
        let data = data.isEmpty ? [] : Array(JSONWriter.line(of: JSONNode(.object(data))).utf8)
        var header: [JSONNode.Member] = [.init(name: "type", node: JSONNode(.string(type)))]
        if !data.isEmpty { header.append(.init(name: "data_length", node: JSONNode(.number(Double(data.count))))) }
        if !payload.isEmpty {
            header.append(.init(name: "payload_length", node: JSONNode(.number(Double(payload.count)))))
        }
        return Array(JSONWriter.line(of: JSONNode(.object(header))).utf8) + [UInt8(ascii: "\n")] + data + payload
    }
}

extension JSONNode.Member {
    init(_ name: String, _ value: JSONNode.Value) { self.init(name: name, node: JSONNode(value)) }
    init(_ name: String, _ text: String) { self.init(name, .string(text)) }
    init(_ name: String, _ number: Int) { self.init(name, .number(Double(number))) }
    init(_ name: String, _ flag: Bool) { self.init(name, .boolean(flag)) }
}
