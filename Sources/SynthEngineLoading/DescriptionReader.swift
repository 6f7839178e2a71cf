import CSynthEngine
package import SynthEngineWire

/// Reads an engine's description of itself, and rejects descriptions that violate the header's contract.
package struct DescriptionReader {
    private let table: LoadedTable
    private let fields = DescriptionFields()

    package init(table: LoadedTable) { self.table = table }

    private static let maximumVoices: UInt32 = 20_000

    package func read() throws(Refusal) -> EngineDescription {
        let engine = table.engine
        let id = try fields.identifier(engine.id, DescriptionField(.id), allows: EngineDescription.isID)
        var description = EngineDescription(
            id: id, name: try fields.text(engine.name, DescriptionField(.name)),
            version: try fields.text(engine.version, DescriptionField(.version)),
            licence: try fields.text(engine.licence, DescriptionField(.licence)),
            url: try fields.optionalText(engine.url, DescriptionField(.url)),
            capabilities: .init(rawValue: engine.capabilities), maxLanes: engine.max_lanes,
            rate: try range(engine.rate_min, engine.rate_max, DescriptionField(.rate)),
            pitch: try range(engine.pitch_min, engine.pitch_max, DescriptionField(.pitch)))
        description.roles = try fields.roles(engine.role)
        description.voices = try fields.list(engine.voice, most: Self.maximumVoices, DescriptionField(.voices)) {
            (voice) throws(Refusal) in
            try self.voice(synth_voice_known(voice))
        }
        description.variables = try fields.variables(engine.variable)
        description.needs = try fields.needs(engine.need)
        try fields.checkDistinct(description.voices.map(\.id), orElse: DescriptionFlaw.sameID)
        return description
    }

    private func voice(_ voice: synth_voice) throws(Refusal) -> VoiceDescription {
        let id = try fields.identifier(voice.id, DescriptionField(.voiceID), allows: DescriptionFields.isItem)
        func field(_ name: DescriptionField.Name) -> DescriptionField { DescriptionField(name, ofVoice: id) }
        var description = VoiceDescription(
            id: id, name: try fields.text(voice.name, field(.voiceName)),
            language: try fields.text(voice.language, field(.language)),
            accent: try fields.optionalText(voice.accent, field(.accent)),
            gender: UInt8(exactly: voice.gender).flatMap(VoiceDescription.Gender.init) ?? .unsaid,
            licence: try fields.optionalText(voice.licence, field(.voiceLicence)),
            model: try fields.optionalText(voice.model, field(.model)))
        description.speakers = try fields.array(voice.speakers, voice.speaker_count, field(.speakers)) {
            (speaker) throws(Refusal) in try fields.text(speaker, field(.speakerName))
        }
        description.sources = try fields.array(voice.sources, voice.source_count, field(.files)) {
            (pointer) throws(Refusal) in
            guard let pointer else { throw fields.broken(.missingFile(voice: id)) }
            let source = synth_source_known(pointer)
            return SourceDescription(
                role: try fields.text(source.role, field(.fileRole)),
                url: try fields.text(source.url, field(.fileURL)),
                sha256: try fields.text(source.sha256, field(.fileDigest)), size: source.size)
        }
        return description
    }

    private func range(_ low: Float, _ high: Float, _ field: DescriptionField) throws(Refusal) -> ClosedRange<Float> {
        guard low.isFinite, high.isFinite, low > 0, low <= 1, high >= 1 else {
            throw fields.broken(.unusableRange(low: low, high: high, of: field))
        }
        return low...high
    }
}

/// Reads a recognizer's description of itself, and rejects descriptions that violate the header's contract.
package struct RecognizerReader {
    private let table: LoadedRecognizer
    private let fields = DescriptionFields()

    package init(table: LoadedRecognizer) { self.table = table }

    private static let maximumModels: UInt32 = 1000

    package func read() throws(Refusal) -> RecognizerDescription {
        let recognizer = table.recognizer
        guard RecognizerDescription.sampleRates.contains(recognizer.sample_rate) else {
            throw fields.broken(.unusable(DescriptionField(.sampleRate)))
        }
        var description = RecognizerDescription(
            id: try fields.identifier(recognizer.id, DescriptionField(.id), allows: EngineDescription.isID),
            name: try fields.text(recognizer.name, DescriptionField(.name)),
            version: try fields.text(recognizer.version, DescriptionField(.version)),
            licence: try fields.text(recognizer.licence, DescriptionField(.licence)),
            url: try fields.optionalText(recognizer.url, DescriptionField(.url)),
            capabilities: .init(rawValue: recognizer.capabilities), maxLanes: recognizer.max_lanes,
            sampleRate: recognizer.sample_rate, longest: recognizer.max_seconds)
        description.roles = try fields.roles(recognizer.role)
        description.models = try fields.list(recognizer.model, most: Self.maximumModels, DescriptionField(.models)) {
            (model) throws(Refusal) in
            try self.model(synth_recognizer_model_known(model))
        }
        description.variables = try fields.variables(recognizer.variable)
        description.needs = try fields.needs(recognizer.need)
        try fields.checkDistinct(description.models.map(\.id), orElse: DescriptionFlaw.sameModelID)
        return description
    }

    private func model(_ model: synth_recognizer_model) throws(Refusal) -> RecognizerModel {
        let id = try fields.identifier(model.id, DescriptionField(.modelID), allows: DescriptionFields.isItem)
        func field(_ name: DescriptionField.Name) -> DescriptionField { DescriptionField(name, ofVoice: id) }
        var description = RecognizerModel(
            id: id, name: try fields.text(model.name, field(.modelName)),
            capabilities: .init(rawValue: model.capabilities),
            licence: try fields.optionalText(model.licence, field(.modelLicence)))
        description.languages = try fields.array(model.languages, model.language_count, field(.modelLanguages)) {
            (language) throws(Refusal) in try fields.text(language, field(.modelLanguages))
        }
        description.sources = try fields.array(model.sources, model.source_count, field(.modelFiles)) {
            (pointer) throws(Refusal) in
            guard let pointer else { throw fields.broken(.unusableList(field(.modelFiles))) }
            let source = synth_source_known(pointer)
            return SourceDescription(
                role: try fields.text(source.role, field(.modelFiles)),
                url: try fields.text(source.url, field(.modelFiles)),
                sha256: try fields.text(source.sha256, field(.modelFiles)), size: source.size)
        }
        return description
    }
}
