extension JSONNode {
    /// Encodes a value. Members are in the order in which the value encodes them; members that are nil are omitted.
    ///
    /// An integer beyond 2⁵³ is rounded to the nearest `Double`, so that other parsers read the same value.
    ///
    /// - Throws: an error if a number is infinite or NaN, which JSON cannot represent.
    package init(encoding value: some Encodable) throws(EncodingError) {
        let slot = Slot()
        do {
            try NodeEncoder(slot: slot, codingPath: []).encode(value)
        } catch let error as EncodingError {
            throw error
        } catch {
            throw .invalidValue(value, .init(codingPath: [], debugDescription: "", underlyingError: error))
        }
        self = slot.node
    }
}

/// A node of the tree that is being built. The containers that encode a value write to it one after another.
private final class Slot {
    private enum Kind {
        case scalar(JSONNode.Value)
        case object
        case list
    }

    private var kind = Kind.object
    private var members: [(name: String, slot: Slot)] = []
    private var elements: [Slot] = []

    var node: JSONNode {
        switch kind {
        case .scalar(let value): JSONNode(value)
        case .object: JSONNode(.object(members.map { .init(name: $0.name, node: $0.slot.node) }))
        case .list: JSONNode(.array(elements.map(\.node)))
        }
    }

    var count: Int { elements.count }

    func set(_ value: JSONNode.Value) { kind = .scalar(value) }

    func becomeList() { kind = .list }

    func member(_ name: String) -> Slot {
        let slot = Slot()
        members.append((name, slot))
        return slot
    }

    func element() -> Slot {
        let slot = Slot()
        elements.append(slot)
        return slot
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func encodeNil() { slot.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let text as String: slot.set(.string(text))
        case let flag as Bool: slot.set(.boolean(flag))
        case let number as Float: try encode(number: Double(number.description), of: value)
        case let number as Double: try encode(number: number, of: value)
        case let number as any FixedWidthInteger: try encode(number: Double(number), of: value)
        default: try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberEncoder(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.becomeList()
        return ElementEncoder(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func encode(number: Double?, of value: Any) throws(EncodingError) {
        guard let number, number.isFinite else {
            throw .invalidValue(
                value, .init(codingPath: codingPath, debugDescription: "JSON cannot represent this number"))
        }
        slot.set(.number(number))
    }
}

private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: Slot
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(PathKey("super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> NodeEncoder {
        NodeEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    let slot: Slot
    let codingPath: [any CodingKey]
    var count: Int { slot.count }

    func encodeNil() { encoder().encodeNil() }

    func encode<Value: Encodable>(_ value: Value) throws { try encoder().encode(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> NodeEncoder {
        let path = codingPath + [PathKey(count)]
        return NodeEncoder(slot: slot.element(), codingPath: path)
    }
}
