import SynthHTTPServer
import SynthJSON
import SynthSystem

/// One path that is answered, and how.
struct WebRoute: Sendable {
    /// What a request must have.
    enum Need: Int, Comparable, Sendable {
        /// Nothing: the page, and what shows nothing of this user.
        case nothing
        /// The token, unless only this machine reaches the server.
        case access
        /// The token, always: other users of this machine reach the server, too.
        case token

        static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    enum Path: Sendable {
        case exact(String)
        /// Everything that begins with this, which ends with a slash.
        case below(String)

        func matches(_ path: String) -> Bool {
            switch self {
            case .exact(let own): path == own
            case .below(let folder): path.hasPrefix(folder) && path.utf8.count > folder.utf8.count
            }
        }
    }

    let method: String
    let path: Path
    let need: Need
    /// Whether it is answered although there is no room for more: it takes none.
    let takesNoRoom: Bool
    /// Of its bodies, in bytes; nil = as of most.
    let longestBody: Int?
    /// What takes its bodies, which are forms, as they come; nil = they are kept.
    let form: (@Sendable (HTTPRequestHead) throws -> UploadedForm)?
    /// Answers on the client's thread, which may block. One that returns has sent its whole answer.
    let answer: @Sendable (WebRequest, WebAnswer) throws -> Void

    init(
        _ method: String, _ path: Path, _ need: Need, takesNoRoom: Bool = false, longestBody: Int? = nil,
        form: (@Sendable (HTTPRequestHead) throws -> UploadedForm)? = nil,
        _ answer: @escaping @Sendable (WebRequest, WebAnswer) throws -> Void
    ) {
        self.method = method
        self.path = path
        self.need = need
        self.takesNoRoom = takesNoRoom
        self.longestBody = longestBody
        self.form = form
        self.answer = answer
    }
}

/// A request as its route gets it: the head and the whole body.
struct WebRequest {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// What its body was, if its route takes forms.
    var form: UploadedForm?
    /// Whether it carries the token.
    let isTrusted: Bool

    var path: String { head.target.path }
    var query: HTTPQuery { head.target.query }

    /// The body as an object.
    func object() throws -> JSONNode {
        let node: JSONNode
        do {
            node = try JSONReader.read(body, mostValues: Self.mostValues)
        } catch {
            throw WebFailure.problem(.notJSON(line: error.line))
        }
        guard case .object = node.value else { throw WebFailure.problem(.notJSON(line: nil)) }
        return node
    }

    /// No call has so many.
    private static let mostValues = 1024
}

/// The members of a body, with their types checked. What is null counts as not there.
struct WebMembers {
    private let body: JSONNode

    /// Bytes of a name. Names are looked for in many places, and some stand in answers.
    static let longestName = 1024

    init(_ body: JSONNode) { self.body = body }

    func text(_ name: String) throws -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw WebFailure.problem(.invalid(name, .text))
        }
    }

    /// A text that is a name, and not long.
    func name(_ name: String) throws -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= Self.longestName else {
            throw WebFailure.problem(.invalid(name, .name(longest: Self.longestName)))
        }
        return text
    }

    func flag(_ name: String) throws -> Bool? {
        switch value(name) {
        case nil: nil
        case .boolean(let flag)?: flag
        default: throw WebFailure.problem(.invalid(name, .flag))
        }
    }

    /// - Parameter orText: whether it may be sent as a text, as many of OpenAI's clients do.
    func number(_ name: String, _ range: ClosedRange<Double>, orText: Bool = false) throws -> Double? {
        guard let value = value(name) else { return nil }
        if case .string = value, !orText { throw WebFailure.problem(.invalid(name, .number(range))) }
        guard let number = value.numberOrText, range.contains(number) else {
            throw WebFailure.problem(.invalid(name, .number(range)))
        }
        return number
    }

    /// Fails if a member has neither of these names.
    func check(read: [String], ignored: [String]) throws {
        let unknown = body.members.first { member in
            member.node.value != .null && !read.contains(member.name) && !ignored.contains(member.name)
        }
        if let unknown { throw WebFailure.problem(.unknownField(unknown.name, known: read)) }
    }

    func choice(_ name: String, _ choices: [String]) throws -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)? where choices.contains(text): text
        default: throw WebFailure.problem(.invalid(name, .oneOf(choices)))
        }
    }

    private func value(_ name: String) -> JSONNode.Value? {
        body.value(at: [name]).flatMap { $0 == .null ? nil : $0 }
    }
}
