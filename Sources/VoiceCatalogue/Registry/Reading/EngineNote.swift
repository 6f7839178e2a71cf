import LocatedJSON

/// What a registry says of an engine, as far as speaking with its built-in voices needs it.
package struct EngineNote: Sendable, Hashable {
    package let id: String
    /// It is the default engine.
    package let isFirst: Bool
    /// Its place among those that speak on when another engine fails; the lowest comes first. nil = after all that have one.
    package let fallback: Int?
    /// nil = nothing is said.
    package let gains: BuiltInGains?
}

extension Registry {
    /// The engines of a registry. Reads only as much of the text as needed, so that speaking does not wait for all
    /// voices; empty if the text has a syntax error before that place.
    package static func engineNotes(in text: [UInt8]) -> [EngineNote] {
        let engines = try? JSONReader.read(text, member: "engines")
        return (engines?.members ?? []).map { engine in
            EngineNote(
                id: engine.name, isFirst: engine.node.value(at: ["first"]) == .boolean(true),
                fallback: engine.node.value(at: ["fallback"])?.number.flatMap { Int(exactly: $0) },
                gains: engine.node.gains)
        }
    }
}

extension JSONNode {
    fileprivate var gains: BuiltInGains? {
        let usual = value(at: ["gain"])?.number
        let named = members.first { $0.name == "gains" }?.node.members ?? []
        guard usual != nil || !named.isEmpty else { return nil }
        let pairs = named.compactMap { member in member.node.value.number.map { (member.name, $0) } }
        return BuiltInGains(usual: usual ?? 0, byVoice: Dictionary(pairs) { first, _ in first })
    }
}

extension JSONNode.Value {
    fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
}
