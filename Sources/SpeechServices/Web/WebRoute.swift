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
    /// Answers on the client's thread, which may block. One that returns has sent its whole answer.
    let answer: @Sendable (WebRequest, WebAnswer) throws(WebFailure) -> Void

    init(
        _ method: String, _ path: Path, _ need: Need, takesNoRoom: Bool = false,
        _ answer: @escaping @Sendable (WebRequest, WebAnswer) throws(WebFailure) -> Void
    ) {
        self.method = method
        self.path = path
        self.need = need
        self.takesNoRoom = takesNoRoom
        self.answer = answer
    }
}
