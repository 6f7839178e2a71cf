/// The status of an answer (RFC 9110, section 15).
package struct HTTPStatus: Equatable, Sendable {
    package let code: Int
    package let reason: String

    private init(_ code: Int, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package static let switchingProtocols = HTTPStatus(101, "Switching Protocols")
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
    package static let upgradeRequired = HTTPStatus(426, "Upgrade Required")
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

/// Why what came is no request that is served. Nothing more can be read after it: the server answers with the status and
/// closes the connection.
package enum HTTPRefusal: String, Error, CaseIterable, Sendable {
    /// A CR without an LF after it.
    case bareCarriageReturn
    /// An LF without a CR before it. Some programs end a line there and others do not.
    case bareLineFeed
    /// Another control byte in a line.
    case controlByte
    /// No method, target and version with one space between them.
    case requestLine
    case requestLineTooLong
    /// No token, or a long one.
    case method
    /// Neither HTTP/1.0 nor HTTP/1.1.
    case version
    /// A target of a proxy (`http://…`, `host:port`) or `*`.
    case targetForm
    /// A byte that no path or query contains.
    case targetByte
    /// Half an escape, or escapes that are no UTF-8, a control character or a separator of the path.
    case targetEncoding
    /// A segment that is empty, `.` or `..`.
    case targetSegment
    /// Escapes as above, a name that is repeated, or too many.
    case query
    /// No token with a colon after it, such as a name with a space before the colon.
    case headerName
    /// Not UTF-8.
    case headerValue
    /// A line that begins with a space or a tab and would continue the one before it.
    case foldedHeader
    case tooManyHeaders
    case headTooLong
    case hostMissing
    case hostRepeated
    /// No name or address with a port or without one.
    case hostMalformed
    case lengthMalformed
    case lengthRepeated
    /// Content-Length and Transfer-Encoding: what one program reads as a body is a request to another.
    case lengthAndCoding
    /// Another Transfer-Encoding than chunked.
    case coding
    /// A Transfer-Encoding in HTTP/1.0, which has none.
    case codingInOldVersion
    case bodyTooLong
    /// No number in hexadecimal digits, or an extension that is none.
    case chunkSize
    case chunkTooLong
    /// Something else than CRLF after the bytes of a chunk.
    case chunkEnd
    /// A trailer that says how the message is to be read.
    case trailer
    case trailersTooLong
    /// No list of tokens in Connection.
    case connection
    /// Another expectation than 100-continue.
    case expectation

    // The request does not open a WebSocket, and only one is served at its path.
    /// No GET with `Connection: Upgrade` and `Upgrade: websocket`, and without a body.
    case socketUpgrade
    /// Another version than 13.
    case socketVersion
    /// No key of 16 bytes in base64.
    case socketKey

    // The body is no form that is read.
    /// The type is not `multipart/form-data` with one boundary of 1 to 70 usual signs.
    case formType
    /// It does not begin with the boundary, or something follows one that is neither a part nor the end.
    case formBoundary
    /// The head of a part is no list of headers, or none says its name.
    case formHead
    case formHeadTooLong
    case formTooManyParts
    /// The part is encoded, as in a mail.
    case formEncoding
    case formFieldTooLong
    /// The same field comes again.
    case formRepeated
    /// It ends in the middle.
    case formCutShort

    /// Whether the request is one, and its body is no form.
    package var isOfForm: Bool { rawValue.hasPrefix("form") }

    package var status: HTTPStatus {
        switch self {
        case .requestLineTooLong: .targetTooLong
        case .version: .versionNotSupported
        case .tooManyHeaders, .headTooLong, .trailersTooLong: .headersTooLarge
        case .coding: .notImplemented
        case .bodyTooLong, .formFieldTooLong: .contentTooLarge
        case .formType: .unsupportedMediaType
        case .expectation: .expectationFailed
        case .socketUpgrade, .socketVersion: .upgradeRequired
        default: .badRequest
        }
    }
}
