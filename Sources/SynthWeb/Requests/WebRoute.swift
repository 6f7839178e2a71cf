import SynthHTTPServer
import SynthJSON
import SynthSystem

/// A path and the function that answers it.
struct WebRoute: Sendable {
    /// What a request needs.
    enum Need: Int, Comparable, Sendable {
        /// Nothing: for the page, and for data that does not belong to this user.
        case nothing
        /// The token, unless only this machine can reach the server.
        case access
        /// The token in all cases, because other users of this machine can reach the server, too.
        case token

        static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    enum Path: Sendable {
        case exact(String)
        /// All paths that begin with this prefix, which ends with a slash.
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
    /// Whether it is answered even at the limit of clients, because it needs no resources.
    let takesNoRoom: Bool
    /// The longest body in bytes; nil = the default.
    let longestBody: Int?
    /// Makes the parser of a form; nil = the body is kept in memory.
    let form: (@Sendable (HTTPRequestHead) throws -> UploadedForm)?
    /// Answers on the client's thread, which may block. It has sent the complete answer when it returns.
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

/// The request for a route: the head and the complete body.
struct WebRequest {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// The parsed form, if the route accepts forms.
    var form: UploadedForm?
    /// Whether it carries the token.
    let isTrusted: Bool

    var path: String { head.target.path }
    var query: HTTPQuery { head.target.query }

    /// The body as a JSON object.
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

    /// The limit of JSON values, which no valid call reaches.
    private static let mostValues = 1024
}

/// The members of a body, with their types checked. A null value counts as missing.
struct WebMembers {
    private let body: JSONNode

    /// The byte limit of a name. Names are searched in many places, and some appear in answers.
    static let longestName = 1024

    init(_ body: JSONNode) { self.body = body }

    func text(_ name: String) throws -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw WebFailure.problem(.invalid(name, .text))
        }
    }

    /// A text within the limit for names.
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

    /// - Parameter orText: whether the number may be a string, which many clients of OpenAI send.
    func number(_ name: String, _ range: ClosedRange<Double>, orText: Bool = false) throws -> Double? {
        guard let value = value(name) else { return nil }
        if case .string = value, !orText { throw WebFailure.problem(.invalid(name, .number(range))) }
        guard let number = value.numberOrText, range.contains(number) else {
            throw WebFailure.problem(.invalid(name, .number(range)))
        }
        return number
    }

    /// Fails if a member is in neither list.
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
