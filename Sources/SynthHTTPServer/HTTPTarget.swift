import SynthSystem

/// What a request asks for: a path and a query (RFC 9112, section 3.2.1). Other forms are for proxies and are refused.
package struct HTTPTarget: Equatable, Sendable {
    /// As it came: visible ASCII.
    package let text: String
    /// Without its escapes. It begins with "/", no segment but the last is empty, and none is "." or "..". An escaped
    /// separator is refused, so each "/" is one that came as such.
    package let path: String
    package let query: HTTPQuery

    init(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard bytes.first == UInt8(ascii: "/") else { throw .targetForm }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let query = bytes[path.endIndex...].dropFirst()
        guard path.allSatisfy(Self.isPathByte), query.allSatisfy(Self.isQueryByte) else { throw .targetByte }
        text = String(decoding: bytes, as: UTF8.self)
        self.path = try Self.decodedPath(path)
        guard let fields = HTTPQuery(query) else { throw .query }
        self.query = fields
    }

    private static func decodedPath(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        guard let decoded = PercentEncoding.decoded(bytes), let path = String(validating: decoded, as: UTF8.self),
            path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\\" })
        else { throw .targetEncoding }
        let slash = UInt8(ascii: "/")
        guard decoded.count(where: { $0 == slash }) == bytes.count(where: { $0 == slash }) else {
            throw .targetEncoding
        }
        let segments = decoded.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for (number, segment) in segments.enumerated() {
            let isDots = segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
            if isDots || segment.isEmpty && number < segments.count - 1 { throw .targetSegment }
        }
        return path
    }

    /// RFC 3986, section 3.3, and the sign of escapes.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$")...UInt8(ascii: "/"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Also the bytes that browsers leave as they are there (URL Standard, "query percent-encode set").
    private static func isQueryByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            true
        default: isPathByte(byte)
        }
    }
}

/// The names and values of a query, or of a body that is `application/x-www-form-urlencoded`.
package struct HTTPQuery: Equatable, Sendable {
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    package static let mostFields = 64

    package private(set) var fields: [Field] = []

    package init() {}

    /// Nil if an escape is not whole or no UTF-8, for a NUL, a name that is repeated, or more than ``mostFields``.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var names: Set<String> = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[part.endIndex...].dropFirst()
            if part.isEmpty { continue }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let field = Self.field(name: name, value: part[name.endIndex...].dropFirst()),
                names.insert(field.name).inserted, names.count <= Self.mostFields
            else { return nil }
            fields.append(field)
        }
    }

    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    private static func field(name: some Collection<UInt8>, value: some Collection<UInt8>) -> Field? {
        guard let name = text(name), let value = text(value) else { return nil }
        return Field(name: name, value: value)
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        guard let decoded = PercentEncoding.decoded(spaced), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }
}
