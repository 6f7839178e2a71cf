import SynthSystem

/// A push parser for `multipart/form-data` bodies (RFC 7578). Accepts input in chunks of any size, performs no I/O, runs in linear time,
/// and buffers at most the head of a part and the most recently appended bytes.
package struct MultipartReader: Sendable {
    /// A parser event.
    package enum Event: Equatable, Sendable {
        case part(name: String)
        /// A chunk of the current part; never empty.
        case bytes([UInt8])
        case partEnds
        /// The end of the body.
        case end
    }

    private enum Stage {
        case preamble(Int)
        case delimiter
        case head(HTTPHeaders, Int)
        case content
        case epilogue(isReported: Bool)
    }

    package static let longestBoundary = 70
    package static let maximumParts = 256
    package static let maximumHeaders = 16
    package static let longestHead = 8 << 10
    /// The maximum number of padding bytes before the first boundary and after each one.
    package static let longestPadding = 256
    package static let longestName = 256

    private let delimiter: [UInt8]
    private var buffer = HTTPBuffer()
    private var stage = Stage.preamble(0)
    private var parts = 0
    private var failure: HTTPRefusal?

    /// - Parameter contentType: the Content-Type of the request, or nil if it is missing or repeated.
    package init(contentType: String?) throws(HTTPRefusal) {
        guard let contentType, let value = HTTPParameters(contentType), value.first == "multipart/form-data",
            let boundary = value["boundary"], Self.isBoundary(boundary)
        else { throw .formType }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary may be at the beginning of the body, without a preceding CRLF.
        buffer.append([0x0D, 0x0A])
    }

    /// Appends received bytes. Call this when ``next()`` has returned nil.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if failure == nil { buffer.append(bytes) }
    }

    /// Returns the next event, or nil if more bytes are needed or parsing has ended. After an error, every call throws the same error.
    package mutating func next() throws(HTTPRefusal) -> Event? {
        if let failure { throw failure }
        do {
            return try read()
        } catch {
            failure = error
            buffer.clear()
            throw error
        }
    }

    /// Call this method at the end of the body. Throws if the form is incomplete or if an earlier call failed.
    package func finish() throws(HTTPRefusal) {
        if let failure { throw failure }
        guard case .epilogue = stage else { throw .formCutShort }
    }

    private mutating func read() throws(HTTPRefusal) -> Event? {
        while true {
            switch stage {
            case .preamble(let length):
                let (bytes, isWhole) = buffer.take(before: delimiter)
                guard length + bytes.count <= Self.longestPadding else { throw .formBoundary }
                stage = isWhole ? .delimiter : .preamble(length + bytes.count)
                if !isWhole { return nil }
            case .delimiter:
                guard let next = try readDelimiter() else { return nil }
                stage = next
            case .head(var headers, var left):
                guard let line = try line(atMost: left) else { return nil }
                if line.isEmpty {
                    stage = .content
                    return .part(name: try Self.name(headers))
                }
                left -= line.count
                guard headers.fields.count < Self.maximumHeaders else { throw .formHeadTooLong }
                do { try headers.add(line: line) } catch { throw .formHead }
                stage = .head(headers, left)
            case .content:
                let (bytes, isWhole) = buffer.take(before: delimiter)
                if isWhole, bytes.isEmpty {
                    stage = .delimiter
                    return .partEnds
                }
                // The next call returns the end of the part.
                if isWhole { buffer.unread(delimiter.count) }
                return bytes.isEmpty ? nil : .bytes(Array(bytes))
            case .epilogue(let isReported):
                stage = .epilogue(isReported: true)
                buffer.clear()
                return isReported ? nil : .end
            }
        }
    }

    /// Parses the bytes after a boundary: the end of the line, or the marker for the end of the body.
    private mutating func readDelimiter() throws(HTTPRefusal) -> Stage? {
        guard let start = buffer.peek(2) else { return nil }
        if start == Array("--".utf8) { return .epilogue(isReported: false) }
        guard let rest = try line(atMost: Self.longestPadding) else { return nil }
        guard rest.allSatisfy(HTTPHeaders.isBlank) else { throw .formBoundary }
        parts += 1
        guard parts <= Self.maximumParts else { throw .formTooManyParts }
        return .head(HTTPHeaders(), Self.longestHead)
    }

    private mutating func line(atMost limit: Int) throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        do {
            return try buffer.takeLine(atMost: limit, else: .formHeadTooLong)
        } catch {
            throw error == .formHeadTooLong ? .formHeadTooLong : .formHead
        }
    }

    private static func name(_ headers: HTTPHeaders) throws(HTTPRefusal) -> String {
        let encodings = headers.list("content-transfer-encoding")
        guard encodings.allSatisfy(["binary", "8bit", "7bit"].contains) else { throw .formEncoding }
        guard let disposition = headers["content-disposition"].flatMap({ HTTPParameters($0) }),
            disposition.first == "form-data", let name = disposition["name"], !name.isEmpty,
            name.utf8.count <= longestName
        else { throw .formHead }
        return name
    }

    private static func isBoundary(_ text: String) -> Bool {
        (1...longestBoundary).contains(text.utf8.count) && text.utf8.last != 0x20
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "'()+_,-./:=? ".utf8.contains($0) }
    }
}

/// A header value with parameters, such as `form-data; name="file"`.
struct HTTPParameters {
    /// The part of the header value before the parameters, in lowercase.
    let first: String
    private var parameters: [(name: String, value: String)] = []

    /// Returns nil if the text is malformed or a name is repeated.
    init?(_ text: String) {
        var rest = text.utf8[...]
        let head = rest.prefix { $0 != UInt8(ascii: ";") }
        first = HTTPHeaders.lowercased(HTTPHeaders.trimmed(head))
        rest = rest[head.endIndex...]
        while !rest.isEmpty {
            rest = rest.dropFirst().drop(while: HTTPHeaders.isBlank)
            // A trailing semicolon is allowed.
            if rest.isEmpty { break }
            let name = rest.prefix(while: HTTPHeaders.isTokenByte)
            rest = rest[name.endIndex...]
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
            guard let value = Self.value(&rest) else { return nil }
            let key = HTTPHeaders.lowercased(name)
            guard self[key] == nil, parameters.count < 16 else { return nil }
            parameters.append((key, value))
            rest = rest.drop(while: HTTPHeaders.isBlank)
            guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
        }
    }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Consumes the equals sign and the value, which is a token or a quoted string with backslash escapes.
    private static func value(_ rest: inout Substring.UTF8View) -> String? {
        rest = rest.dropFirst()
        guard rest.first == UInt8(ascii: "\"") else {
            let word = rest.prefix { $0 != UInt8(ascii: ";") && !HTTPHeaders.isBlank($0) && $0 != UInt8(ascii: "\"") }
            rest = rest[word.endIndex...]
            return word.isEmpty ? nil : String(word)
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(validating: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\"), let next = rest.first,
                [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(next)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(next)
            rest = rest.dropFirst()
        }
        return nil
    }
}
