import SynthCommandSyntax
import SynthJSON
import SynthService
import SynthSystem

/// The arguments of a tool call, with checked types. A null argument is treated as missing.
struct AssistantArguments: Sendable {
    private let node: JSONNode

    init(_ node: JSONNode) { self.node = node }

    func check(known: [String]) throws(UsageError) {
        let unknown = node.members.first { $0.node.value != .null && !known.contains($0.name) }
        guard let unknown else { return }
        let choices = known.isEmpty ? "The tool takes no arguments." : "Its arguments are \(Wording.all(known))."
        throw UsageError(ofTool: "\"\(unknown.name.prefix(64))\" is not an argument of this tool. \(choices)")
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    func text(_ name: String) throws(UsageError) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw UsageError(ofTool: "\"\(name)\" must be a string.")
        }
    }

    /// Returns a path argument. Control characters are rejected: a NUL would end the path early, and others could
    /// disguise the path.
    func path(_ name: String) throws(UsageError) -> String? {
        guard let path = try text(name) else { return nil }
        guard !path.isEmpty else { throw UsageError(ofTool: "\"\(name)\" is empty. Pass a file name.") }
        guard path.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw UsageError(ofTool: "\"\(name)\" contains a control character. Remove it from the file name.")
        }
        return path
    }

    func flag(_ name: String) throws(UsageError) -> Bool {
        switch value(name) {
        case nil: false
        case .boolean(let flag)?: flag
        default: throw UsageError(ofTool: "\"\(name)\" must be true or false.")
        }
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let value = value(name) else { return nil }
        guard let number = value.numberOrText, range.contains(number) else {
            throw UsageError(ofTool: "\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func choice(_ name: String, _ choices: [String]) throws(UsageError) -> String? {
        guard let text = try text(name) else { return nil }
        guard choices.contains(text) else {
            throw UsageError(ofTool: "\"\(name)\" must be one of \(choices.joined(separator: ", ")).")
        }
        return text
    }

    /// Returns an array of 1 to 1000 non-empty strings.
    func texts(_ name: String) throws(UsageError) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value, (1...1000).contains(elements.count) else {
            throw UsageError(ofTool: "\"\(name)\" must be a list of 1 to 1000 strings.")
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element.value, !text.isEmpty else {
                throw UsageError(ofTool: "\"\(name)\" must be a list of non-empty strings.")
            }
            texts.append(text)
        }
        return texts
    }

    private func value(_ name: String) -> JSONNode.Value? {
        node.value(at: [name]).flatMap { $0 == .null ? nil : $0 }
    }
}

struct AssistantResult {
    let text: String
    /// The machine-readable result.
    var data: [JSONNode.Member]?
    var isError = false

    init(_ text: String, _ data: [JSONNode.Member]? = nil, isError: Bool = false) {
        self.text = text
        self.data = data
        self.isError = isError
    }

    var members: [JSONNode.Member] {
        let content = JSONNode(.object([.init("type", "text"), .init("text", text)]))
        return [.init("content", .array([content])), .init("isError", isError)]
            + (data.map { [.init("structuredContent", .object($0))] } ?? [])
    }
}
