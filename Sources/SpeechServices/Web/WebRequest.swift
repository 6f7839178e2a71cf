import LocatedJSON

/// A request as its route gets it: the head and the whole body.
struct WebRequest: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// Whether it carries the token.
    let isTrusted: Bool

    var path: String { head.target.path }
    var query: HTTPQuery { head.target.query }

    /// The body as an object.
    func object() throws(WebFailure) -> JSONNode {
        let node: JSONNode
        do {
            node = try JSONReader.read(body, mostValues: Self.mostValues)
        } catch {
            throw .problem(.notJSON(line: error.line))
        }
        guard case .object = node.value else { throw .problem(.notJSON(line: nil)) }
        return node
    }

    /// No call has so many.
    private static let mostValues = 1024
}
