import CSynthEngine
package import EngineWire

/// Reads the description that an engine gives of itself, and refuses one that breaks the contract of the header.
package struct DescriptionReader {
    private let table: LoadedTable

    package init(table: LoadedTable) { self.table = table }

    private static let mostRoles: UInt32 = 256
    private static let mostVoices: UInt32 = 20_000
    private static let mostVariables: UInt32 = 64
    private static let mostNeeds: UInt32 = 16
    private static let mostInList = 10_000

    package func read() throws(Refusal) -> EngineDescription {
        let engine = table.engine
        let id = try identifier(engine.id, DescriptionField(.id), allows: EngineDescription.isIdentifier)
        var description = EngineDescription(
            id: id, name: try text(engine.name, DescriptionField(.name)),
            version: try text(engine.version, DescriptionField(.version)),
            licence: try text(engine.licence, DescriptionField(.licence)),
            url: try optionalText(engine.url, DescriptionField(.url)),
            capabilities: .init(rawValue: engine.capabilities), maxLanes: engine.max_lanes,
            rate: try range(engine.rate_min, engine.rate_max, DescriptionField(.rate)),
            pitch: try range(engine.pitch_min, engine.pitch_max, DescriptionField(.pitch)))
        description.roles = try list(engine.role, most: Self.mostRoles, DescriptionField(.roles)) {
            (role) throws(Refusal) in
            try self.role(synth_role_known(role))
        }
        description.voices = try list(engine.voice, most: Self.mostVoices, DescriptionField(.voices)) {
            (voice) throws(Refusal) in
            try self.voice(synth_voice_known(voice))
        }
        description.variables = try variables(engine.variable)
        description.needs = try list(engine.need, most: Self.mostNeeds, DescriptionField(.needs)) {
            (need) throws(Refusal) in try self.need(synth_need_known(need))
        }.compactMap(\.self)
        var ids: Set<String> = []
        for voice in description.voices where !ids.insert(voice.id).inserted {
            throw broken(.sameID(voice.id))
        }
        return description
    }

    private func role(_ role: synth_role) throws(Refusal) -> RoleDescription {
        RoleDescription(
            name: try identifier(role.name, DescriptionField(.roleName), allows: EngineDescription.isIdentifier),
            isOfVoice: role.scope == SYNTH_SCOPE_VOICE.rawValue,
            isOptional: role.flags & SYNTH_ROLE_OPTIONAL.rawValue != 0,
            isFolder: role.flags & SYNTH_ROLE_FOLDER.rawValue != 0)
    }

    private func voice(_ voice: synth_voice) throws(Refusal) -> VoiceDescription {
        let id = try identifier(voice.id, DescriptionField(.voiceID), allows: Self.isVoice)
        func field(_ name: DescriptionField.Name) -> DescriptionField { DescriptionField(name, ofVoice: id) }
        var description = VoiceDescription(
            id: id, name: try text(voice.name, field(.voiceName)),
            language: try text(voice.language, field(.language)),
            accent: try optionalText(voice.accent, field(.accent)),
            gender: UInt8(exactly: voice.gender).flatMap(VoiceDescription.Gender.init) ?? .unsaid,
            licence: try optionalText(voice.licence, field(.voiceLicence)),
            model: try optionalText(voice.model, field(.model)))
        description.speakers = try array(voice.speakers, voice.speaker_count, field(.speakers)) {
            (speaker) throws(Refusal) in try text(speaker, field(.speakerName))
        }
        description.sources = try array(voice.sources, voice.source_count, field(.files)) {
            (pointer) throws(Refusal) in
            guard let pointer else { throw broken(.missingFile(voice: id)) }
            let source = synth_source_known(pointer)
            return SourceDescription(
                role: try text(source.role, field(.fileRole)),
                url: try text(source.url, field(.fileURL)),
                sha256: try text(source.sha256, field(.fileDigest)), size: source.size)
        }
        return description
    }

    private func variables(
        _ function: (@convention(c) (UInt32) -> UnsafePointer<CChar>?)?
    ) throws(Refusal) -> [String] {
        guard let function else { return [] }
        var names: [String] = []
        for index in 0..<Self.mostVariables {
            guard let name = function(index) else { return names }
            names.append(
                try identifier(name, DescriptionField(.variableName), allows: EngineDescription.isVariable))
        }
        throw broken(.tooMany(DescriptionField(.variables), most: Self.mostVariables))
    }

    /// nil for a kind of a later version.
    private func need(_ need: synth_need) throws(Refusal) -> EngineNeed? {
        let reason = try text(need.reason, DescriptionField(.needReason))
        guard let name = EngineNeed.Kind.name(of: need.kind) else { return nil }
        let path = try optionalText(need.path, DescriptionField(.needPath))
        guard let kind = EngineNeed.Kind(name: name, path: path) else {
            throw broken(.unusable(DescriptionField(.needPath)))
        }
        return EngineNeed(kind, reason: reason)
    }

    // MARK: - Fields

    private func broken(_ flaw: DescriptionFlaw) -> Refusal { Refusal(.description(flaw)) }

    private func text(_ string: UnsafePointer<CChar>?, _ field: DescriptionField) throws(Refusal) -> String {
        // Control characters would reach the user's terminal.
        guard let text = known(string), !text.isEmpty, text.utf8.count <= 1024,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw broken(.unusable(field))
        }
        return text
    }

    private func optionalText(_ string: UnsafePointer<CChar>?, _ field: DescriptionField) throws(Refusal) -> String? {
        string == nil ? nil : try text(string, field)
    }

    private func identifier(
        _ string: UnsafePointer<CChar>?, _ field: DescriptionField, allows: (String) -> Bool
    ) throws(Refusal) -> String {
        let text = try text(string, field)
        guard allows(text) else {
            throw broken(.forbiddenCharacters(text, in: field))
        }
        return text
    }

    private func range(_ low: Float, _ high: Float, _ field: DescriptionField) throws(Refusal) -> ClosedRange<Float> {
        guard low.isFinite, high.isFinite, low > 0, low <= 1, high >= 1 else {
            throw broken(.unusableRange(low: low, high: high, of: field))
        }
        return low...high
    }

    /// It knows of the structs no more than where they are: see `synth_known.h`.
    private func list<Struct, Value>(
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

    private func array<Element, Value>(
        _ pointer: UnsafePointer<Element>?, _ count: Int, _ field: DescriptionField,
        _ one: (Element) throws(Refusal) -> Value
    ) throws(Refusal) -> [Value] {
        guard count > 0 else { return [] }
        guard let pointer, count <= Self.mostInList else { throw broken(.unusableList(field)) }
        var values: [Value] = []
        for index in 0..<count { values.append(try one(pointer[index])) }
        return values
    }

    private static func isVoice(_ id: String) -> Bool {
        id.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x2B: true
            default: false
            }
        }
    }
}

extension EngineNeed.Kind {
    /// The name of a `synth_need_kind`; nil for one of a later version.
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
