import LocatedJSON

/// The members of a body, with their types checked. What is null counts as not there.
struct WebMembers {
    private let body: JSONNode

    /// Bytes of a name. Names are looked for in many places, and some stand in answers.
    static let longestName = 1024

    init(_ body: JSONNode) { self.body = body }

    func text(_ name: String) throws(WebProblem) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw .invalid(name, .text)
        }
    }

    /// A text that is a name, and not long.
    func name(_ name: String) throws(WebProblem) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestName else { throw .invalid(name, .name(longest: Self.longestName)) }
        return text
    }

    func flag(_ name: String) throws(WebProblem) -> Bool? {
        switch value(name) {
        case nil: nil
        case .boolean(let flag)?: flag
        default: throw .invalid(name, .flag)
        }
    }

    func number(_ name: String, _ range: ClosedRange<Double>) throws(WebProblem) -> Double? {
        switch value(name) {
        case nil: nil
        case .number(let number)? where range.contains(number): number
        default: throw .invalid(name, .number(range))
        }
    }

    func choice(_ name: String, _ choices: [String]) throws(WebProblem) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)? where choices.contains(text): text
        default: throw .invalid(name, .oneOf(choices))
        }
    }

    private func value(_ name: String) -> JSONNode.Value? {
        body.value(at: [name]).flatMap { $0 == .null ? nil : $0 }
    }
}
