import Glibc
package import SynthSystem

/// The secret that authorizes a client program or page. It is compared in constant time and redacted when printed.
package struct AccessToken: Sendable {
    package static let shortest = 16
    package static let longest = 512

    private let bytes: [UInt8]

    /// Creates a token. Returns nil if the text is too short, is too long, or contains characters that are not allowed
    /// in an `Authorization` header.
    package init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count), Self.isToken(text) else { return nil }
        bytes = Array(text.utf8)
    }

    /// The secret in plain text.
    package var secret: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the text is the token. The comparison takes constant time if both have the same length.
    package func matches(_ text: String) -> Bool {
        var difference = text.utf8.count ^ bytes.count
        for (number, byte) in text.utf8.enumerated() { difference |= Int(byte ^ bytes[number % bytes.count]) }
        return difference == 0
    }

    /// Whether a request contains this token. Checks the `Authorization` header if there is one; failing that, the
    /// WebSocket subprotocols; and failing that, the cookie.
    package func isCarried(by headers: HTTPHeaders, cookie name: String) -> Bool {
        if !headers.values("authorization").isEmpty { return Self.bearer(headers).map(matches) ?? false }
        if let key = Self.socketKey(headers) { return matches(key) }
        return Self.cookie(name, headers).map(matches) ?? false
    }

    /// Whether a request contains any token, valid or not. A cookie counts even if another program that uses the same
    /// name has set it.
    package static func isTried(in headers: HTTPHeaders, cookie name: String) -> Bool {
        if !headers.values("authorization").isEmpty || socketKey(headers) != nil { return true }
        return headers.values("cookie").contains { cookies in
            cookies.utf8.split(separator: UInt8(ascii: ";")).contains {
                HTTPHeaders.trimmed($0).starts(with: "\(name)=".utf8)
            }
        }
    }

    /// Returns the token in the `Authorization: Bearer …` header (RFC 6750), or nil if the header is missing, repeated
    /// or malformed.
    static func bearer(_ headers: HTTPHeaders) -> String? {
        let scheme = "bearer "
        guard let text = headers["authorization"]?.utf8,
            HTTPHeaders.lowercased(text.prefix(scheme.utf8.count)) == scheme,
            let token = String(text.dropFirst(scheme.utf8.count)), isToken(token)
        else { return nil }
        return token
    }

    /// Returns the token in a page's WebSocket subprotocols, or nil. Browsers do not let pages set headers for
    /// WebSockets, so OpenAI's clients send the token this way.
    static func socketKey(_ headers: HTTPHeaders) -> String? {
        let prefix = "openai-insecure-api-key."
        return headers.socketProtocols.first { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count))
        }
    }

    /// Returns the value of a cookie (RFC 6265), or nil if the cookie is missing or repeated, or its value is invalid.
    /// Other cookies are not validated, because programs on other ports of this machine also set cookies.
    static func cookie(_ name: String, _ headers: HTTPHeaders) -> String? {
        let pairs = headers.values("cookie").flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
            .map(HTTPHeaders.trimmed)
        let prefix = Array("\(name)=".utf8)
        let found = pairs.filter { $0.starts(with: prefix) }
        guard found.count == 1, let value = String(found[0].dropFirst(prefix.count)), isCookieValue(value) else {
            return nil
        }
        return value
    }

    private static func isCookieValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
                && byte != UInt8(ascii: "\\")
        }
    }

    /// Whether the text is a `token68` (RFC 9110, section 11.2).
    private static func isToken(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        return !body.isEmpty && text.utf8[body.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
            && body.allSatisfy { $0.isLetterOrDigit || "-._~+/".utf8.contains($0) }
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "AccessToken" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension AccessToken {
    /// Loads the user's persistent token. If the file does not exist, creates it, along with any missing folders, and
    /// stores a new token in it that only this user can read.
    package static func kept(at path: String) throws(SpeechError) -> AccessToken {
        do {
            return try given(in: path)
        } catch {
            guard error.cause as? Errno == .notFound else { throw error }
        }
        do {
            try keep(random(), at: path)
        } catch {
            throw .tokenUnusable(path, error)
        }
        return try given(in: path)
    }

    /// Loads the token from a file that contains nothing but the token and an optional line ending. The file must
    /// belong to this user, and no other user may be able to read it.
    package static func given(in path: String) throws(SpeechError) -> AccessToken {
        var status = stat()
        var bytes: [UInt8] = []
        do {
            let file = try Descriptor.openRegular(path).file
            try Errno.check { fstat(file.raw, &status) }
            bytes = try file.readAll(limit: longest + 2)
        } catch {
            // A file that is too long cannot contain a token. The error is thrown below.
            if error != .fileTooLarge { throw .tokenUnusable(path, error) }
        }
        guard status.st_uid == geteuid() else { throw .tokenOfOtherUser(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw .tokenNotSecret(path)
        }
        for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] where bytes.last == end { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), let token = AccessToken(text) else {
            throw .noToken(path)
        }
        return token
    }

    /// Returns 32 random bytes in hexadecimal.
    private static func random() -> String {
        // This generator uses getrandom(2).
        var generator = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        return String((0..<64).map { _ in digits[Int(generator.next(upperBound: UInt8(16)))] })
    }

    /// Writes the token atomically, unless another process has created the file in the meantime.
    private static func keep(_ text: String, at path: String) throws(Errno) {
        makeFolder(of: path)
        let new = try ReplacementFile(at: path, mode: 0o600)
        try new.file.writeAll(Array("\(text)\n".utf8))
        do { try new.publish(replaces: false) } catch { guard error == .exists else { throw error } }
    }
}

extension SpeechError {
    static func tokenUnusable(_ path: String, _ reason: Errno) -> SpeechError {
        SpeechError(
            .tokenUnusable, "Cannot use the token file \(path): \(reason).",
            Facts(path: path, reason: "\(reason)", errno: reason.code), remedy: .repairToken(.chooseOther),
            cause: reason)
    }

    static func tokenOfOtherUser(_ path: String) -> SpeechError {
        SpeechError(
            .tokenUnusable, "The token file \(path) belongs to another user.", Facts(path: path),
            remedy: .repairToken(.own))
    }

    /// Other users can read or change the file.
    static func tokenNotSecret(_ path: String) -> SpeechError {
        SpeechError(
            .tokenUnusable, "Other users can read the token in \(path).", Facts(path: path),
            remedy: .repairToken(.hide(path)))
    }

    static func noToken(_ path: String) -> SpeechError {
        SpeechError(.tokenInvalid, "\(path) contains no valid token.", Facts(path: path), remedy: .repairToken(.write))
    }
}
