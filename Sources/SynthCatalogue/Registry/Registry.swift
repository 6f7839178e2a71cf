import SynthJSON

/// All known voices and the files that they need. Loading the registry takes a few milliseconds, so speaking with an
/// installed voice reads only the record next to the voice's files.
package struct Registry: Sendable {
    package private(set) var voices: [Voice] = []
    package private(set) var models: [Model] = []
    /// The recognizer models.
    package private(set) var recognizerModelEntries: [RecognizerModelEntry] = []
    package private(set) var sources: [String: Source] = [:]
    /// The hints about engines, keyed by engine ID.
    package private(set) var hints: [String: EngineHints] = [:]
    /// The contribution of each registry, in merge order.
    package private(set) var parts: [RegistryPart] = []

    private var voiceIndices: [String: Int] = [:]
    private var modelIndices: [String: Int] = [:]

    /// An empty registry.
    package init() {}

    /// Reads one or more registries. Each registry adds its entries to those of earlier registries and replaces entries
    /// that have the same ID. If a registry replaces a source, that source's voices use the new URL.
    ///
    /// - Parameter documents: the origin (for messages) and text of each registry.
    package init(_ documents: [(origin: String, text: [UInt8])]) throws(RegistryError) {
        let readers = try documents.map { document throws(RegistryError) in
            try RegistryReader(origin: document.origin, text: document.text)
        }
        parts = readers.map { RegistryPart(origin: $0.origin) }
        for (index, reader) in readers.enumerated() {
            for source in try reader.sources() {
                let isNew = sources.updateValue(source, forKey: source.id) == nil
                parts[index].sourceCount += 1
                if source.followsBranch { parts[index].branches.append(source.id) }
                if !isNew { parts[index].overridden.append("source \(source.id)") }
            }
            hints.merge(try reader.engines()) { $0.overridden(by: $1) }
        }
        var ids = RegistryIDs()
        for (index, reader) in readers.enumerated() {
            for model in try reader.models(sources, &ids) {
                parts[index].modelCount += 1
                if !Self.put(model, in: &models, &modelIndices) { parts[index].overridden.append("model \(model.id)") }
            }
        }
        for (index, reader) in readers.enumerated() {
            let found = try reader.voices(sources, model: { id in modelIndices[id].map { models[$0] } }, &ids)
            for voice in found {
                parts[index].voiceCount += 1
                if !Self.put(voice, in: &voices, &voiceIndices) { parts[index].overridden.append("voice \(voice.id)") }
            }
        }
        for (index, reader) in readers.enumerated() {
            for model in try reader.recognizerModelEntries(
                sources, unless: { voiceIndices[$0] != nil || modelIndices[$0] != nil }, &ids)
            {
                if let position = recognizerModelEntries.firstIndex(where: { $0.id == model.id }) {
                    recognizerModelEntries[position] = model
                    parts[index].overridden.append("model \(model.id)")
                } else {
                    recognizerModelEntries.append(model)
                }
            }
        }
    }

    /// Instructions for the user if an engine is not installed, keyed by engine ID.
    package var remedies: [String: String] { hints.compactMapValues(\.absent) }

    package func voice(id: String) -> Voice? { voiceIndices[id].map { voices[$0] } }
    package func model(id: String) -> Model? { modelIndices[id].map { models[$0] } }

    /// The starter voices, with the recommended voice first.
    package var starters: [Voice] { voices.starters }

    /// The model of `voice` in the given precision, which may be the voice's current model; nil if that precision is
    /// not available.
    package func model(of voice: Voice, precision: String) -> Model? {
        precisions(of: voice).first { $0.precision == precision }
    }

    /// The available precisions of the voice's model, with the default first.
    package func precisions(of voice: Voice) -> [Model] {
        guard let family = voice.model?.family else { return [] }
        return models.filter { $0.family == family && $0.precision != nil }
    }

    /// Makes all voices of the model's family use `model`, regardless of their current precision.
    package mutating func prefer(_ model: Model) {
        for (position, voice) in voices.enumerated() where voice.model?.family == model.family {
            voices[position] = voice.using(model)
        }
    }

    /// Adds voices declared by engines. If the registry already has a voice with the same ID and engine, the registry's
    /// voice is kept.
    ///
    /// - Parameter origin: the name to record as the voices' origin.
    package mutating func add(_ declared: [Voice], from origin: String = "engines") {
        if !declared.isEmpty {
            var part = RegistryPart(origin: origin)
            part.voiceCount = declared.count
            parts.append(part)
        }
        for voice in declared where voices.allSatisfy({ $0.folder != voice.folder }) {
            if let known = voiceIndices[voice.id], voices[known].engine == voice.engine { continue }
            if voiceIndices[voice.id] == nil { voiceIndices[voice.id] = voices.count }
            voices.append(voice)
        }
    }

    /// Adds an entry, or replaces the entry with the same ID. Returns false if it replaced an entry.
    private static func put<Entry: Identifiable<String>>(
        _ entry: Entry, in entries: inout [Entry], _ indices: inout [String: Int]
    ) -> Bool {
        if let position = indices[entry.id] {
            entries[position] = entry
            return false
        }
        indices[entry.id] = entries.count
        entries.append(entry)
        return true
    }
}

/// One registry's contribution to the merged registry.
package struct RegistryPart: Equatable, Sendable {
    /// The registry file, or the engine that declares its own voices.
    package let origin: String
    package var sourceCount = 0
    /// The sources whose URLs follow a branch.
    package var branches: [String] = []
    package var modelCount = 0
    package var voiceCount = 0
    /// Entries that replace entries of an earlier registry, such as "voice en_GB-alan-medium".
    package var overridden: [String] = []
}

/// The registry data that is needed to speak with an engine's built-in voices.
package struct EngineNote: Sendable, Equatable {
    package let id: String
    /// Whether this is the default engine.
    package let isFirst: Bool
    /// The position among the fallback engines, lowest first; nil to place the engine after all engines that have a
    /// position.
    package let fallback: Int?
    /// The built-in voices' gains; nil if not specified.
    package let gains: BuiltInGains?
}

extension Registry {
    /// The engines in a registry. Reads only as much of the text as needed, so that speaking does not wait for all voices to be
    /// parsed. Empty if the text has a syntax error before that point.
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
