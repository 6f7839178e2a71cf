import CSynthEngine
package import SynthEngineWire
import SynthSystem

/// Reads a plugin's description of itself field by field and rejects it if it violates the header's contract.
struct DescriptionFields {
    private static let maximumRoles: UInt32 = 256
    private static let maximumVariables: UInt32 = 64
    private static let maximumNeeds: UInt32 = 16
    private static let maximumListCount = 10_000

    func broken(_ flaw: DescriptionFlaw) -> Refusal { Refusal(.description(flaw)) }

    func text(_ string: UnsafePointer<CChar>?, _ field: DescriptionField) throws(Refusal) -> String {
        // Reject control characters, which might reach the user's terminal.
        guard let text = known(string), !text.isEmpty, text.utf8.count <= 1024,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw broken(.unusable(field))
        }
        return text
    }

    func optionalText(_ string: UnsafePointer<CChar>?, _ field: DescriptionField) throws(Refusal) -> String? {
        string == nil ? nil : try text(string, field)
    }

    func identifier(
        _ string: UnsafePointer<CChar>?, _ field: DescriptionField, allows: (String) -> Bool
    ) throws(Refusal) -> String {
        let text = try text(string, field)
        guard allows(text) else {
            throw broken(.forbiddenCharacters(text, in: field))
        }
        return text
    }

    /// Reads a list. Passes each struct to `one` by pointer, because the plugin's version of the struct may be shorter
    /// (see `synth_known.h`).
    func list<Struct, Value>(
        _ function: ((UInt32) -> UnsafePointer<Struct>?)?, most: UInt32, _ field: DescriptionField,
        _ one: (UnsafePointer<Struct>) throws(Refusal) -> Value
    ) throws(Refusal) -> [Value] {
        guard let function else { return [] }
        var values: [Value] = []
        for index in 0..<most {
            guard let pointer = function(index) else { return values }
            values.append(try one(pointer))
        }
        throw broken(.tooMany(field, most: most))
    }

    func array<Element, Value>(
        _ pointer: UnsafePointer<Element>?, _ count: Int, _ field: DescriptionField,
        _ one: (Element) throws(Refusal) -> Value
    ) throws(Refusal) -> [Value] {
        guard count > 0 else { return [] }
        guard let pointer, count <= Self.maximumListCount else { throw broken(.unusableList(field)) }
        var values: [Value] = []
        for index in 0..<count { values.append(try one(pointer[index])) }
        return values
    }

    /// Whether the text is a valid voice or model ID.
    static func isItem(_ id: String) -> Bool { PlainID.flaw(of: id) == nil }

    /// Rejects ids that are equal or differ only in case.
    ///
    /// - Parameter flaw: creates the flaw for equal ids.
    func checkDistinct(_ ids: [String], orElse flaw: (String) -> DescriptionFlaw) throws(Refusal) {
        var seen: [String: String] = [:]
        for id in ids {
            guard let other = seen.updateValue(id, forKey: PlainID.folded(id)) else { continue }
            throw broken(other == id ? flaw(id) : .differsByCase(id, from: other))
        }
    }
}

/// The parts of the description that engines and recognizers share.
extension DescriptionFields {
    func roles(_ function: ((UInt32) -> UnsafePointer<synth_role>?)?) throws(Refusal) -> [RoleDescription] {
        try list(function, most: Self.maximumRoles, DescriptionField(.roles)) { (pointer) throws(Refusal) in
            let role = synth_role_known(pointer)
            return RoleDescription(
                name: try identifier(role.name, DescriptionField(.roleName), allows: EngineDescription.isIdentifier),
                isOfVoice: role.scope == SYNTH_SCOPE_VOICE.rawValue,
                isOptional: role.flags & SYNTH_ROLE_OPTIONAL.rawValue != 0,
                isFolder: role.flags & SYNTH_ROLE_FOLDER.rawValue != 0)
        }
    }

    func variables(_ function: ((UInt32) -> UnsafePointer<CChar>?)?) throws(Refusal) -> [String] {
        try list(function, most: Self.maximumVariables, DescriptionField(.variables)) { (name) throws(Refusal) in
            try identifier(name, DescriptionField(.variableName), allows: EngineDescription.isVariable)
        }
    }

    /// Returns the needs, ignoring unknown kinds from later versions.
    func needs(_ function: ((UInt32) -> UnsafePointer<synth_need>?)?) throws(Refusal) -> [EngineNeed] {
        try list(function, most: Self.maximumNeeds, DescriptionField(.needs)) { (pointer) throws(Refusal) in
            let need = synth_need_known(pointer)
            let reason = try text(need.reason, DescriptionField(.needReason))
            guard let name = EngineNeed.Kind.name(of: need.kind) else { return EngineNeed?.none }
            let path = try optionalText(need.path, DescriptionField(.needPath))
            guard let kind = EngineNeed.Kind(name: name, path: path) else {
                throw broken(.unusable(DescriptionField(.needPath)))
            }
            return EngineNeed(kind, reason: reason)
        }.compactMap(\.self)
    }
}

extension EngineNeed.Kind {
    /// Returns the name of a `synth_need_kind`; nil for a kind from a later version.
    package static func name(of kind: UInt32) -> String? {
        switch kind {
        case SYNTH_NEED_NETWORK.rawValue: "network"
        case SYNTH_NEED_EXECUTABLE_MEMORY.rawValue: "executable-memory"
        case SYNTH_NEED_DEVICE.rawValue: "device"
        case SYNTH_NEED_FOLDER.rawValue: "folder"
        default: nil
        }
    }
}
