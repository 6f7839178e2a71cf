extension JSONNode {
    /// Decodes the node's value. Members that `Value` does not declare are ignored; if a member is repeated, its first value is used.
    ///
    /// - Throws: an error with the path of the missing or invalid value.
    package func decode<Value: Decodable>(_: Value.Type) throws(DecodingError) -> Value {
        do {
            return try NodeDecoder(node: self, codingPath: []).decode(Value.self)
        } catch let error as DecodingError {
            throw error
        } catch {
            throw .dataCorrupted(.init(codingPath: [], debugDescription: "", underlyingError: error))
        }
    }
}

/// A JSON value that is not a container.
private protocol JSONScalar {
    /// Returns nil if the value has a different type or is out of range.
    init?(json: JSONNode.Value)
}

extension String: JSONScalar {
    init?(json: JSONNode.Value) {
        guard case .string(let text) = json else { return nil }
        self = text
    }
}

extension Bool: JSONScalar {
    init?(json: JSONNode.Value) {
        guard case .boolean(let flag) = json else { return nil }
        self = flag
    }
}

extension BinaryFloatingPoint {
    init?(json: JSONNode.Value) {
        guard case .number(let number) = json else { return nil }
        self.init(number)
    }
}

extension FixedWidthInteger {
    init?(json: JSONNode.Value) {
        guard case .number(let number) = json else { return nil }
        if Self.bitWidth == 64, number == Double(Self.max) {
            // 9223372036854775807 is parsed as a `Double`, whose value is one higher.
            self = .max
        } else {
            self.init(exactly: number)
        }
    }
}

extension Double: JSONScalar {}
extension Float: JSONScalar {}
extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

private struct NodeDecoder: Decoder, SingleValueDecodingContainer {
    let node: JSONNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decodeNil() -> Bool { node.value == .null }

    func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        guard let scalar = Value.self as? any JSONScalar.Type else { return try Value(from: self) }
        guard let value = scalar.init(json: node.value) as? Value else { throw mismatch(Value.self) }
        return value
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = node.value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(MemberDecoder(members, codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = node.value else { throw mismatch([Any].self) }
        return ElementDecoder(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "not \(node.kindName)")
        return node.value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [JSONNode.Member]
    /// For each name, the index of its first member; nil if there are so few members that a linear search is fast.
    private let places: [String: Int]?
    let codingPath: [any CodingKey]

    init(_ members: [JSONNode.Member], _ codingPath: [any CodingKey]) {
        self.members = members
        places =
            members.count > 24
            ? Dictionary(members.indices.map { (members[$0].name, $0) }) { first, _ in first } : nil
        self.codingPath = codingPath
    }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { node(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(Value.self)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func node(_ name: String) -> JSONNode? {
        guard let places else { return members.first { $0.name == name }?.node }
        return places[name].map { members[$0].node }
    }

    private func decoder(_ key: any CodingKey) throws(DecodingError) -> NodeDecoder {
        guard let node = node(key.stringValue) else {
            throw .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "it is missing"))
        }
        // `PathKey` is used because a dictionary key also has an integer value if its text is an integer.
        return NodeDecoder(node: node, codingPath: codingPath + [PathKey(key.stringValue)])
    }
}

private struct ElementDecoder: UnkeyedDecodingContainer {
    let elements: [JSONNode]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(elements: [JSONNode], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
        guard try next().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value { try pass(next().decode(Value.self)) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try pass(next().container(keyedBy: type))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try pass(next().unkeyedContainer())
    }

    mutating func superDecoder() throws -> any Decoder { try pass(next()) }

    private mutating func pass<Value>(_ value: Value) -> Value {
        currentIndex += 1
        return value
    }

    private func next() throws(DecodingError) -> NodeDecoder {
        let path = codingPath + [PathKey(currentIndex)]
        guard !isAtEnd else {
            throw .valueNotFound(Any.self, .init(codingPath: path, debugDescription: "the list is too short"))
        }
        return NodeDecoder(node: elements[currentIndex], codingPath: path)
    }
}

/// A path component without a key type.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(intValue: Int) { self.init(intValue) }

    init?(stringValue: String) { self.init(stringValue) }
}
