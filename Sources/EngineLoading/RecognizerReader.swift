import CSynthEngine
package import EngineWire

/// Reads the description that a recognizer gives of itself, and refuses one that breaks the contract of the header.
package struct RecognizerReader {
    private let table: LoadedRecognizer
    private let fields = DescriptionFields()

    package init(table: LoadedRecognizer) { self.table = table }

    private static let mostModels: UInt32 = 1000

    package func read() throws(Refusal) -> RecognizerDescription {
        let recognizer = table.recognizer
        guard RecognizerDescription.sampleRates.contains(recognizer.sample_rate) else {
            throw fields.broken(.unusable(DescriptionField(.sampleRate)))
        }
        var description = RecognizerDescription(
            id: try fields.identifier(recognizer.id, DescriptionField(.id), allows: EngineDescription.isIdentifier),
            name: try fields.text(recognizer.name, DescriptionField(.name)),
            version: try fields.text(recognizer.version, DescriptionField(.version)),
            licence: try fields.text(recognizer.licence, DescriptionField(.licence)),
            url: try fields.optionalText(recognizer.url, DescriptionField(.url)),
            capabilities: .init(rawValue: recognizer.capabilities), maxLanes: recognizer.max_lanes,
            sampleRate: recognizer.sample_rate, longest: recognizer.max_seconds)
        description.roles = try fields.roles(recognizer.role)
        description.models = try fields.list(recognizer.model, most: Self.mostModels, DescriptionField(.models)) {
            (model) throws(Refusal) in
            try self.model(synth_recognizer_model_known(model))
        }
        description.variables = try fields.variables(recognizer.variable)
        description.needs = try fields.needs(recognizer.need)
        var ids: Set<String> = []
        for model in description.models where !ids.insert(model.id).inserted {
            throw fields.broken(.sameModelID(model.id))
        }
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
