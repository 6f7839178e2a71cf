import SynthHTTPServer
import SynthJSON
import SynthSystem

/// A path and the function that handles its requests.
struct WebRoute: Sendable {
    /// What a request needs in order to access a route.
    enum Need: Int, Comparable, Sendable {
        /// Nothing. Used for the page and for data that is not specific to this user.
        case nothing
        /// The token, unless the server can be reached only from this machine.
        case access
        /// The token, even if the server can be reached only from this machine, because the machine may have other
        /// users.
        case token

        static func < (one: Need, other: Need) -> Bool { one.rawValue < other.rawValue }
    }

    enum Path: Sendable {
        case exact(String)
        /// All paths with this prefix, which ends with a slash.
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
    /// Whether requests for this route need hardly any resources. Such requests are handled even if there are too many
    /// clients.
    let takesNoRoom: Bool
    /// The maximum body size in bytes, or nil for the default.
    let longestBody: Int?
    /// Creates the form parser for the body. If nil, the body is kept in memory.
    let form: (@Sendable (HTTPRequestHead) throws -> UploadedForm)?
    /// Sends the complete response. Runs on the client's thread, and may block.
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

/// A request for a route, with its complete body.
struct WebRequest {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// The parsed form, if the route accepts forms.
    var form: UploadedForm?
    /// Whether the request contains the token.
    let isTrusted: Bool

    var path: String { head.target.path }
    var query: HTTPQuery { head.target.query }

    /// Parses the body as a JSON object.
    func object() throws -> JSONNode {
        let node: JSONNode
        do {
            node = try JSONReader.read(body, maximumValues: Self.maximumValues)
        } catch {
            throw WebFailure.problem(.notJSON(line: error.line))
        }
        guard case .object = node.value else { throw WebFailure.problem(.notJSON(line: nil)) }
        return node
    }

    /// The maximum number of JSON values in a body. Valid requests contain far fewer.
    private static let maximumValues = 1024
}

/// The members of a request body, with checked types. null is treated as missing.
struct WebMembers {
    private let body: JSONNode

    /// The maximum length of a name in bytes. The limit is low because names are looked up in several lists, and some
    /// are returned in responses.
    static let longestName = 1024

    init(_ body: JSONNode) { self.body = body }

    func text(_ name: String) throws -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text)?: text
        default: throw WebFailure.problem(.invalid(name, .text))
        }
    }

    /// Returns a string member. Throws if the string exceeds the maximum length of a name.
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

    /// - Parameter orText: whether to also accept a string that contains the number, because many OpenAI clients send
    ///   one.
    func number(_ name: String, _ range: ClosedRange<Double>, orText: Bool = false) throws -> Double? {
        guard let value = value(name) else { return nil }
        if case .string = value, !orText { throw WebFailure.problem(.invalid(name, .number(range))) }
        guard let number = value.numberOrText, range.contains(number) else {
            throw WebFailure.problem(.invalid(name, .number(range)))
        }
        return number
    }

    /// Throws if any member is in neither list.
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
