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

    package var status: HTTPStatus {
        switch self {
        case .requestLineTooLong: .targetTooLong
        case .version: .versionNotSupported
        case .tooManyHeaders, .headTooLong, .trailersTooLong: .headersTooLarge
        case .coding: .notImplemented
        case .bodyTooLong: .contentTooLarge
        case .expectation: .expectationFailed
        default: .badRequest
        }
    }
}
