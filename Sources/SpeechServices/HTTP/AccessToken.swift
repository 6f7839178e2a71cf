/// The secret that lets a program or a page ask for what others may not. It is compared in a time that says nothing of it,
/// and is not shown where the value is printed.
package struct AccessToken: Sendable {
    package static let shortest = 16
    package static let longest = 512

    private let bytes: [UInt8]

    /// Nil if it is too short to be a secret, too long, or has other characters than a header of `Authorization` may have.
    package init?(_ text: String) {
        guard (Self.shortest...Self.longest).contains(text.utf8.count), Self.isToken(text) else { return nil }
        bytes = Array(text.utf8)
    }

    /// For whoever may have it.
    package var secret: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes as long for each text of the same length.
    package func matches(_ text: String) -> Bool {
        var difference = text.utf8.count ^ bytes.count
        for (number, byte) in text.utf8.enumerated() { difference |= Int(byte ^ bytes[number % bytes.count]) }
        return difference == 0
    }

    /// Whether a request has it, in `Authorization` or else in a cookie.
    package func isCarried(by headers: HTTPHeaders, cookie name: String) -> Bool {
        if !headers.values("authorization").isEmpty { return Self.bearer(headers).map(matches) ?? false }
        return Self.cookie(name, headers).map(matches) ?? false
    }

    /// Whether a request has any token, right or not. A cookie that others set may have the same name.
    package static func isTried(in headers: HTTPHeaders, cookie name: String) -> Bool {
        if !headers.values("authorization").isEmpty { return true }
        return headers.values("cookie").contains { cookies in
            cookies.utf8.split(separator: UInt8(ascii: ";")).contains {
                HTTPHeaders.trimmed($0).starts(with: "\(name)=".utf8)
            }
        }
    }

    /// What one `Authorization: Bearer …` gives; nil if there is none, there are several, or it is malformed (RFC 6750).
    static func bearer(_ headers: HTTPHeaders) -> String? {
        let scheme = "bearer "
        guard let text = headers["authorization"]?.utf8,
            HTTPHeaders.lowercased(text.prefix(scheme.utf8.count)) == scheme,
            let token = String(text.dropFirst(scheme.utf8.count)), isToken(token)
        else { return nil }
        return token
    }

    /// The value of one cookie; nil if there is none, there are several with this name, or its value is none (RFC 6265).
    /// Other cookies may look as they like: programs on other ports of this machine set them, too.
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

    /// `token68` of RFC 9110, section 11.2.
    private static func isToken(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let marks = Array("-._~+/".utf8)
        return !body.isEmpty && text.utf8[body.endIndex...].allSatisfy { $0 == UInt8(ascii: "=") }
            && body.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: marks.contains(byte)
                }
            }
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "AccessToken" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
