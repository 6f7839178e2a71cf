@testable import SynthJSON

/// The rules for the JSON reader and writer.
enum JSONChecks {
    static func violations(in bytes: [UInt8]) -> [String] {
        var found: [String] = []
        do {
            let node = try JSONReader.read(bytes)
            let line = JSONWriter.line(of: node)
            // The texts differ only in white space and in the order of keys.
            for text in [line, JSONWriter.text(of: node), JSONWriter.line(of: node, sortsKeys: true)] {
                guard let again = try? JSONReader.read(Array(text.utf8)) else {
                    found.append("\(text) cannot be read again")
                    continue
                }
                if JSONWriter.line(of: again, sortsKeys: true) != JSONWriter.line(of: node, sortsKeys: true) {
                    found.append("\(line) became \(JSONWriter.line(of: again))")
                }
            }
            // Escaping turns one byte into as many as six, and a number such as 1e15 is written with all of its digits.
            if line.utf8.count > 24 * bytes.count { found.append("\(line.utf8.count) bytes for \(bytes.count)") }
            for member in node.members {
                guard let one = try? JSONReader.read(bytes, member: member.name), one == member.node else {
                    found.append("the member \(member.name) differs if it is read alone")
                    continue
                }
            }
        } catch {
            let lines = 1 + bytes.count { $0 == 0x0A }
            if !(1...lines).contains(error.line) || !(1...bytes.count + 1).contains(error.column) {
                found.append("an error on line \(error.line), column \(error.column)")
            }
        }
        _ = try? JSONReader.read(bytes, allowsRepeatedKeys: true, maximumValues: 100)
        let text = Base64.text(of: bytes)
        if Base64.bytes(of: text) != bytes { found.append("\(text) does not decode to the same bytes") }
        _ = Base64.bytes(of: String(decoding: bytes, as: UTF8.self))
        return found
    }

    /// Decodes a value, encodes it and decodes it again.
    static func violations<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) -> [String] {
        guard let value = try? JSONReader.read(bytes, allowsRepeatedKeys: true).decode(type) else { return [] }
        guard let node = try? JSONNode(encoding: value) else { return ["\(type) cannot be encoded"] }
        let line = JSONWriter.line(of: node, sortsKeys: true)
        guard let again = try? JSONReader.read(Array(line.utf8)).decode(type),
            let second = try? JSONNode(encoding: again)
        else { return ["\(type) cannot be decoded from \(line)"] }
        let other = JSONWriter.line(of: second, sortsKeys: true)
        return other == line ? [] : ["\(line) became \(other)"]
    }
}
