import SynthCommandSyntax
@testable import SynthJSON
@testable import synthhost_cli

/// The rules for messages from programs that use the tools for assistants.
enum AssistantChecks {
    static func violations(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A).prefix(100).flatMap { violations(inLine: Array($0)) }
    }

    private static func violations(inLine line: [UInt8]) -> [String] {
        switch AssistantMessage(line) {
        case .nothing, .note: return []
        case .refused(_, let reason, let id):
            let isUsable =
                switch id {
                case .null, .string, .number: true;
                default: false
                }
            return reason.isEmpty || !isUsable ? ["the ID of an error is \(id): \(reason)"] : []
        case .request(let method, let parameters, let id):
            let answer = JSONWriter.line(of: JSONNode(.object([.init(name: "id", node: JSONNode(id))])))
            let again = try? JSONReader.read(Array(answer.utf8)).value(at: ["id"])
            let isSame = again.map { JSONWriter.line(of: JSONNode($0)) == JSONWriter.line(of: JSONNode(id)) } ?? false
            let values = parameters.value(at: ["arguments"]).map { JSONNode($0) } ?? parameters
            return (isSame ? [] : ["the ID \(id) of \(method) became \(answer)"]) + violations(of: values)
        }
    }

    /// Reads every argument as every type.
    private static func violations(of node: JSONNode) -> [String] {
        let arguments = AssistantArguments(node)
        try? arguments.check(known: ["text", "file"])
        var found: [String] = []
        for name in node.members.prefix(20).map(\.name) {
            _ = (try? arguments.text(name), try? arguments.flag(name), try? arguments.choice(name, ["a", "b"]))
            if let number = try? arguments.number(name, 0.5...4), !(0.5...4).contains(number) {
                found.append("the number \(number) is out of range")
            }
            if let path = try? arguments.path(name), path.isEmpty || path.utf8.contains(0) {
                found.append("a path \(path)")
            }
            if let texts = try? arguments.texts(name), texts.isEmpty || texts.contains("") {
                found.append("texts \(texts)")
            }
        }
        return found
    }
}
