import SynthSystem

/// The headers of a message, in order. Names are case-insensitive.
package struct HTTPHeaders: Equatable, Sendable {
    /// A header line.
    package struct Field: Equatable, Sendable {
        /// The name in lowercase.
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// Adds a header to an outgoing message.
    package mutating func add(_ name: String, _ value: String) throws(HTTPFailure) {
        guard Self.isToken(name.utf8) else { throw .headerName(name) }
        let name = Self.lowercased(name.utf8)
        let isWhole = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard isWhole, value.utf8.first != 0x20, value.utf8.last != 0x20 else { throw .headerValue(of: name) }
        fields.append(Field(name: name, value: value))
    }

    /// Parses and adds a received header line. The colon must directly follow the name; white space around the value is removed.
    mutating func add(line: ArraySlice<UInt8>) throws(HTTPRefusal) {
        if let first = line.first, Self.isBlank(first) { throw .foldedHeader }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else {
            throw .headerName
        }
        guard let value = String(validating: Self.trimmed(line[(colon + 1)...]), as: UTF8.self) else {
            throw .headerValue
        }
        fields.append(Field(name: Self.lowercased(line[..<colon]), value: value))
    }

    /// The value of a header, or nil if the header is missing or repeated.
    package subscript(name: String) -> String? {
        let found = values(name)
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the values of all headers with the given name.
    ///
    /// - Parameter name: the name in lowercase.
    package func values(_ name: String) -> [String] { fields.lazy.filter { $0.name == name }.map(\.value) }

    /// Returns the elements of a comma-separated header, in lowercase. Repeated headers are combined.
    ///
    /// - Parameter name: the name in lowercase.
    package func list(_ name: String) -> [String] {
        values(name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { Self.lowercased(Self.trimmed($0)) }
        }.filter { !$0.isEmpty }
    }

    /// The WebSocket subprotocols that the client offers, as written. Invalid subprotocols and those beyond the limit are ignored.
    var socketProtocols: [String] {
        let offered = values("sec-websocket-protocol").flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map(Self.trimmed)
        }
        return offered.prefix(Self.maximumSocketProtocols).filter(Self.isToken).compactMap { String($0) }
    }

    private static let maximumSocketProtocols = 16

    /// Converts only the letters A to Z to lowercase. Unicode case conversion would map some other characters, such as the Kelvin sign, to
    /// ASCII letters.
    static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return String(decoding: bytes.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence
    where Bytes.SubSequence: BidirectionalCollection<UInt8> {
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    /// Whether the bytes are a token according to RFC 9110, section 5.6.2.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
