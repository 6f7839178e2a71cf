/// An entry of `recognizerModels` in `models.json`, with the same field names.
package struct RecognizerModelDocument: Codable, Equatable, Sendable {
    var id: String
    var recognizer: String
    var name: String
    var languages: [String]?
    var license: String?
    var cost: Double?
    var suits: String?
    var starter: Int?
    var note: String?
    var source: String?
    var files: [FileDocument]
    var alternative: AlternativeDocument?
}

extension RecognizerModelEntry {
    /// The part that is stored in a record: everything except the URLs.
    package var document: RecognizerModelDocument {
        RecognizerModelDocument(
            id: id, recognizer: recognizer, name: name, languages: languages.isEmpty ? nil : languages,
            license: license, files: [])
    }

    /// Creates a model from a record.
    package init(_ document: RecognizerModelDocument, folder: String) {
        self.init(document, files: [], alternative: [], folder: folder)
    }

    /// Creates a model that the user added.
    package init(own id: String, for recognizer: String, name: String, languages: [String]) {
        self.init(
            id: id, recognizer: recognizer, name: name, languages: languages, license: nil, cost: nil, suits: nil,
            starter: nil, note: nil, files: [], alternative: [], folder: id)
    }

    init(_ document: RecognizerModelDocument, files: [ModelFile], alternative: [ModelFile], folder: String? = nil) {
        self.init(
            id: document.id, recognizer: document.recognizer, name: document.name,
            languages: document.languages ?? [], license: document.license, cost: document.cost,
            suits: document.suits, starter: document.starter, note: document.note, files: files,
            alternative: alternative, folder: folder ?? document.id)
    }

    /// Creates a model declared by a recognizer. Throws if an ID or a file's role, URL, digest, size or name is
    /// invalid.
    ///
    /// - Parameter files: empty if the model is built in.
    package init(
        id: String, name: String, languages: [String], license: String?, files: [DeclaredVoice.File],
        by recognizer: String
    ) throws(RegistryError) {
        func fault(_ problem: RegistryProblem) -> RegistryError {
            RegistryError(origin: .engine(recognizer), subject: .model(id), problem)
        }
        guard FileName.isID(recognizer) else { throw fault(.engineNamesNoFolder) }
        guard FileName.isID(id) else { throw fault(.idNamesNoFolder) }
        self.init(
            id: id, recognizer: recognizer, name: name, languages: languages, license: license, cost: nil,
            suits: nil, starter: nil, note: nil, files: try DeclaredVoice.File.resolved(files, fault), alternative: [],
            folder: "\(recognizer).\(id)")
    }
}
