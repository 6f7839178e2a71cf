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
        guard let decoded = unescaped(spaced), !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Each `%` with two hexadecimal digits as the byte that they mean; nil if there are no two.
    static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// The value of a hexadecimal digit.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
