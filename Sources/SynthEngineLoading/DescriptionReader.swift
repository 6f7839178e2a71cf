import CSynthEngine
package import SynthEngineWire

extension LoadedTable<synth_engine> {
    /// Reads an engine's description of itself and rejects it if it violates the header's contract.
    package func description() throws(Refusal) -> EngineDescription {
        let reader = DescriptionFields()
        let id = try reader.identifier(fields.id, DescriptionField(.id), allows: EngineDescription.isID)
        var description = EngineDescription(
            id: id, name: try reader.text(fields.name, DescriptionField(.name)),
            version: try reader.text(fields.version, DescriptionField(.version)),
            license: try reader.text(fields.license, DescriptionField(.license)),
            url: try reader.optionalText(fields.url, DescriptionField(.url)),
            capabilities: .init(rawValue: fields.capabilities), maxLanes: fields.max_lanes,
            rate: try reader.range(fields.rate_min, fields.rate_max, DescriptionField(.rate)),
            pitch: try reader.range(fields.pitch_min, fields.pitch_max, DescriptionField(.pitch)))
        description.roles = try reader.roles(fields.role)
        description.voices = try reader.list(fields.voice, most: 20_000, DescriptionField(.voices)) {
            (voice) throws(Refusal) in
            try reader.voice(synth_voice_known(voice))
        }
        description.variables = try reader.variables(fields.variable)
        description.needs = try reader.needs(fields.need)
        try reader.checkDistinct(description.voices.map(\.id), orElse: DescriptionFlaw.sameID)
        return description
    }
}

extension LoadedTable<synth_recognizer> {
    /// Reads a recognizer's description of itself and rejects it if it violates the header's contract.
    package func description() throws(Refusal) -> RecognizerDescription {
        let reader = DescriptionFields()
        guard RecognizerDescription.sampleRates.contains(fields.sample_rate) else {
            throw reader.broken(.unusable(DescriptionField(.sampleRate)))
        }
        var description = RecognizerDescription(
            id: try reader.identifier(fields.id, DescriptionField(.id), allows: EngineDescription.isID),
            name: try reader.text(fields.name, DescriptionField(.name)),
            version: try reader.text(fields.version, DescriptionField(.version)),
            license: try reader.text(fields.license, DescriptionField(.license)),
            url: try reader.optionalText(fields.url, DescriptionField(.url)),
            capabilities: .init(rawValue: fields.capabilities), maxLanes: fields.max_lanes,
            sampleRate: fields.sample_rate, longest: fields.max_seconds)
        description.roles = try reader.roles(fields.role)
        description.models = try reader.list(fields.model, most: 1000, DescriptionField(.models)) {
            (model) throws(Refusal) in
            try reader.model(synth_recognizer_model_known(model))
        }
        description.variables = try reader.variables(fields.variable)
        description.needs = try reader.needs(fields.need)
        try reader.checkDistinct(description.models.map(\.id), orElse: DescriptionFlaw.sameModelID)
        return description
    }
}

extension DescriptionFields {
    fileprivate func voice(_ voice: synth_voice) throws(Refusal) -> VoiceDescription {
        let id = try identifier(voice.id, DescriptionField(.voiceID), allows: Self.isItem)
        func field(_ name: DescriptionField.Name) -> DescriptionField { DescriptionField(name, ofVoice: id) }
        var description = VoiceDescription(
            id: id, name: try text(voice.name, field(.voiceName)),
            language: try text(voice.language, field(.language)),
            accent: try optionalText(voice.accent, field(.accent)),
            gender: UInt8(exactly: voice.gender).flatMap(VoiceDescription.Gender.init) ?? .unsaid,
            license: try optionalText(voice.license, field(.voiceLicense)),
            model: try optionalText(voice.model, field(.model)))
        description.speakers = try array(voice.speakers, voice.speaker_count, field(.speakers)) {
            (speaker) throws(Refusal) in try text(speaker, field(.speakerName))
        }
        description.sources = try sources(
            voice.sources, voice.source_count, field(.files), role: field(.fileRole), url: field(.fileURL),
            digest: field(.fileDigest), missing: .missingFile(voice: id))
        return description
    }

    fileprivate func model(_ model: synth_recognizer_model) throws(Refusal) -> RecognizerModel {
        let id = try identifier(model.id, DescriptionField(.modelID), allows: Self.isItem)
        func field(_ name: DescriptionField.Name) -> DescriptionField { DescriptionField(name, ofVoice: id) }
        var description = RecognizerModel(
            id: id, name: try text(model.name, field(.modelName)), capabilities: .init(rawValue: model.capabilities),
            license: try optionalText(model.license, field(.modelLicense)))
        description.languages = try array(model.languages, model.language_count, field(.modelLanguages)) {
            (language) throws(Refusal) in try text(language, field(.modelLanguages))
        }
        let files = field(.modelFiles)
        description.sources = try sources(
            model.sources, model.source_count, files, role: files, url: files, digest: files,
            missing: .unusableList(files))
        return description
    }

    private func sources(
        _ list: UnsafePointer<UnsafePointer<synth_source>?>?, _ count: Int, _ field: DescriptionField,
        role: DescriptionField, url: DescriptionField, digest: DescriptionField, missing: DescriptionFlaw
    ) throws(Refusal) -> [SourceDescription] {
        try array(list, count, field) { (pointer) throws(Refusal) in
            guard let pointer else { throw broken(missing) }
            let source = synth_source_known(pointer)
            return SourceDescription(
                role: try text(source.role, role), url: try text(source.url, url),
                sha256: try text(source.sha256, digest), size: source.size)
        }
    }

    fileprivate func range(
        _ low: Float, _ high: Float, _ field: DescriptionField
    ) throws(Refusal) -> ClosedRange<Float> {
        guard low.isFinite, high.isFinite, low > 0, low <= 1, high >= 1 else {
            throw broken(.unusableRange(low: low, high: high, of: field))
        }
        return low...high
    }
}
