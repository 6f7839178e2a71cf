/// A response status (RFC 9110, section 15).
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
    package static let notModified = HTTPStatus(304, "Not Modified")
    package static let badRequest = HTTPStatus(400, "Bad Request")
    package static let unauthorized = HTTPStatus(401, "Unauthorized")
    package static let forbidden = HTTPStatus(403, "Forbidden")
    package static let notFound = HTTPStatus(404, "Not Found")
    package static let methodNotAllowed = HTTPStatus(405, "Method Not Allowed")
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
    package static let versionNotSupported = HTTPStatus(505, "HTTP Version Not Supported")
    package static let insufficientStorage = HTTPStatus(507, "Insufficient Storage")

    /// Whether responses with this status have neither a body nor headers that specify a body length.
    package var hasNoBody: Bool { code < 200 || self == .noContent || self == .notModified }
}

/// The reason for rejecting a request. The server responds with the status and closes the connection.
package enum HTTPRefusal: String, Error, CaseIterable, Sendable {
    /// A CR that is not followed by an LF.
    case bareCarriageReturn
    /// An LF that is not preceded by a CR. Some programs treat it as a line ending and others do not.
    case bareLineFeed
    /// A control byte other than CR and LF in a line.
    case controlByte
    /// A request line that does not consist of a method, a target and a version separated by single spaces.
    case requestLine
    case requestLineTooLong
    /// A method that is too long or not a token.
    case method
    /// A version other than HTTP/1.0 and HTTP/1.1.
    case version
    /// A target in proxy form (`http://…`, `host:port`), or `*`.
    case targetForm
    /// A byte that is not allowed in paths and queries.
    case targetByte
    /// An incomplete escape, or an escape for invalid UTF-8, a control character or a path separator.
    case targetEncoding
    /// A path segment that is empty, `.` or `..`.
    case targetSegment
    /// A query with an invalid escape, a repeated name, or too many fields.
    case query
    /// A header line that does not begin with a token directly followed by a colon, for example because of a space before the colon.
    case headerName
    /// A header value that is not UTF-8.
    case headerValue
    /// A line that begins with a space or tab and thus continues the previous line.
    case foldedHeader
    case tooManyHeaders
    case headTooLong
    case hostMissing
    case hostRepeated
    /// A Host header that is not a name or IP address with an optional port.
    case hostMalformed
    case lengthMalformed
    case lengthRepeated
    /// Both Content-Length and Transfer-Encoding, which would allow request smuggling.
    case lengthAndCoding
    /// A Transfer-Encoding other than chunked.
    case coding
    /// A Transfer-Encoding in HTTP/1.0, which does not support it.
    case codingInOldVersion
    case bodyTooLong
    /// A chunk size that is not hexadecimal, or an invalid chunk extension.
    case chunkSize
    case chunkTooLong
    /// A chunk that is not followed by CRLF.
    case chunkEnd
    /// A trailer that determines the message framing.
    case trailer
    case trailersTooLong
    /// A Connection header that is not a list of tokens.
    case connection
    /// An expectation other than 100-continue.
    case expectation

    // The following cases are for requests on a WebSocket-only path.
    /// Not a GET request with `Connection: Upgrade`, `Upgrade: websocket` and no body.
    case socketUpgrade
    /// A version other than 13.
    case socketVersion
    /// A key that is not 16 bytes in base64.
    case socketKey

    // The following cases are for invalid form bodies.
    /// A Content-Type that is not `multipart/form-data` with one boundary of 1 to 70 allowed characters.
    case formType
    /// A missing boundary at the beginning, or a boundary that is followed neither by a part nor by the end of the
    /// body.
    case formBoundary
    /// A part without valid headers or without a name.
    case formHead
    case formHeadTooLong
    case formTooManyParts
    /// A part with a Content-Transfer-Encoding other than binary, 8bit and 7bit, such as base64, which is meant for
    /// email.
    case formEncoding
    case formFieldTooLong
    /// A repeated field.
    case formRepeated
    /// An incomplete body.
    case formCutShort

    /// Whether the HTTP request is valid but its body is not a valid form.
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
