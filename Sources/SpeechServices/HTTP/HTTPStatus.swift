/// The status of an answer (RFC 9110, section 15).
package struct HTTPStatus: Hashable, Sendable {
    package let code: Int
    package let reason: String

    private init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static let ok = HTTPStatus(200, "OK")
    package static let created = HTTPStatus(201, "Created")
    package static let accepted = HTTPStatus(202, "Accepted")
    package static let noContent = HTTPStatus(204, "No Content")
    package static let seeOther = HTTPStatus(303, "See Other")
    package static let notModified = HTTPStatus(304, "Not Modified")
    package static let badRequest = HTTPStatus(400, "Bad Request")
    package static let unauthorized = HTTPStatus(401, "Unauthorized")
    package static let forbidden = HTTPStatus(403, "Forbidden")
    package static let notFound = HTTPStatus(404, "Not Found")
    package static let methodNotAllowed = HTTPStatus(405, "Method Not Allowed")
    package static let notAcceptable = HTTPStatus(406, "Not Acceptable")
    package static let requestTimeout = HTTPStatus(408, "Request Timeout")
    package static let conflict = HTTPStatus(409, "Conflict")
    package static let contentTooLarge = HTTPStatus(413, "Content Too Large")
    package static let targetTooLong = HTTPStatus(414, "URI Too Long")
    package static let unsupportedMediaType = HTTPStatus(415, "Unsupported Media Type")
    package static let expectationFailed = HTTPStatus(417, "Expectation Failed")
    package static let misdirectedRequest = HTTPStatus(421, "Misdirected Request")
    package static let unprocessableContent = HTTPStatus(422, "Unprocessable Content")
    package static let tooManyRequests = HTTPStatus(429, "Too Many Requests")
    package static let headersTooLarge = HTTPStatus(431, "Request Header Fields Too Large")
    package static let internalServerError = HTTPStatus(500, "Internal Server Error")
    package static let notImplemented = HTTPStatus(501, "Not Implemented")
    package static let serviceUnavailable = HTTPStatus(503, "Service Unavailable")
    package static let gatewayTimeout = HTTPStatus(504, "Gateway Timeout")
    package static let versionNotSupported = HTTPStatus(505, "HTTP Version Not Supported")
    package static let insufficientStorage = HTTPStatus(507, "Insufficient Storage")

    /// Whether an answer to any request has no body, and says nothing of its length.
    package var hasNoBody: Bool { code < 200 || self == .noContent || self == .notModified }
}
