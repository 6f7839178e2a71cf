import CommandParts
import LocatedJSON

/// Why a tool does not do what is asked.
enum AssistantProblem: Error {
    /// What is asked for is malformed.
    case invalid(String)
    /// It could not be done.
    case failed(String)

    init(_ failure: CommandFailure) {
        self = .failed([failure.message, failure.remedy].compactMap(\.self).joined(separator: " "))
    }
}

/// The arguments of a tool, with their types checked. What is null counts as not there.
struct AssistantArguments: Sendable {
    private let node: JSONNode

    init(_ node: JSONNode) { self.node = node }

    func has(_ name: String) -> Bool { value(name) != nil }

    func text(_ name: String) throws(AssistantProblem) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw .invalid("\"\(name)\" must be a text.")
        }
    }

    func flag(_ name: String) throws(AssistantProblem) -> Bool {
        switch value(name) {
        case nil: false
        case .boolean(let flag)?: flag
        default: throw .invalid("\"\(name)\" must be true or false.")
        }
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(AssistantProblem) -> Double? {
        switch value(name) {
        case nil: return nil
        case .number(let number)? where range.contains(number): return number
        default: throw .invalid("\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    func choice(_ name: String, _ choices: [String]) throws(AssistantProblem) -> String? {
        guard let text = try text(name) else { return nil }
        guard choices.contains(text) else {
            throw .invalid("\"\(name)\" must be one of \(choices.joined(separator: ", ")).")
        }
        return text
    }

    /// At most 1000 texts, none of them empty.
    func texts(_ name: String) throws(AssistantProblem) -> [String]? {
        guard let value = value(name) else { return nil }
        guard case .array(let elements) = value, (1...1000).contains(elements.count) else {
            throw .invalid("\"\(name)\" must be a list of texts.")
        }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element.value, !text.isEmpty else {
                throw .invalid("\"\(name)\" must be a list of texts.")
            }
            texts.append(text)
        }
        return texts
    }

    private func value(_ name: String) -> JSONNode.Value? {
        node.value(at: [name]).flatMap { $0 == .null ? nil : $0 }
    }
}

/// What a tool gives.
struct AssistantResult {
    let text: String
    /// The same for programs.
    var data: [JSONNode.Member]?
    var isError = false

    init(_ text: String, _ data: [JSONNode.Member]? = nil, isError: Bool = false) {
        self.text = text
        self.data = data
        self.isError = isError
    }

    var members: [JSONNode.Member] {
        let content: [JSONNode.Member] = [
            .init(name: "type", node: JSONNode(.string("text"))), .init(name: "text", node: JSONNode(.string(text))),
        ]
        var members: [JSONNode.Member] = [
            .init(name: "content", node: JSONNode(.array([JSONNode(.object(content))]))),
            .init(name: "isError", node: JSONNode(.boolean(isError))),
        ]
        if let data { members.append(.init(name: "structuredContent", node: JSONNode(.object(data)))) }
        return members
    }
}
