/// A voice declared by an engine, with the fields of the engine header.
package struct DeclaredVoice: Sendable {
    /// A file whose download URL is declared by the engine.
    package struct File: Sendable {
        let role: String
        let isShared: Bool
        let url: String
        let sha256: String
        let size: UInt64

        /// - Parameter isShared: whether the role belongs to the model, so that the model's voices share the file.
        package init(role: String, isShared: Bool, url: String, sha256: String, size: UInt64) {
            self.role = role
            self.isShared = isShared
            self.url = url
            self.sha256 = sha256
            self.size = size
        }
    }

    let id: String
    let name: String
    let language: String
    let accent: String?
    let gender: Gender?
    let license: String?
    let model: String?
    let speakers: [String]
    let files: [File]

    package init(
        id: String, name: String, language: String, accent: String? = nil, gender: Gender? = nil,
        license: String? = nil, model: String? = nil, speakers: [String] = [], files: [File] = []
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.accent = accent
        self.gender = gender
        self.license = license
        self.model = model
        self.speakers = speakers
        self.files = files
    }
}

extension DeclaredVoice.File {
    /// Checks the role, URL, digest, size and name of each file.
    static func resolved(
        _ files: [DeclaredVoice.File], _ fault: (RegistryProblem) -> RegistryError
    ) throws(RegistryError) -> [ModelFile] {
        var names: Set<String> = []
        var resolved: [ModelFile] = []
        for file in files {
            if let refusal = WebAddress.refusal(of: file.url) { throw fault(.badAddress(reason: refusal)) }
            guard FileName.isRole(file.role) else { throw fault(.badRole(file.role)) }
            guard let digest = Digest(.sha256, file.sha256) else { throw fault(.noSHA256(role: file.role)) }
            guard file.size > 0, let size = Int64(exactly: file.size), size <= ModelFile.largestSize else {
                throw fault(.badSize(file.role))
            }
            guard let name = WebAddress.fileName(of: file.url) else { throw fault(.addressNamesNoFile(file.url)) }
            guard names.insert(name).inserted else { throw fault(.repeatedFile(name)) }
            resolved.append(ModelFile(role: file.role, name: name, url: file.url, size: size, digest: digest))
        }
        return resolved
    }
}

extension Voice {
    /// Creates a voice declared by `engine`. Throws if an ID or a file's role, URL, digest, size or name is invalid.
    package init(_ declared: DeclaredVoice, by engine: String) throws(RegistryError) {
        func fault(_ problem: RegistryProblem) -> RegistryError {
            RegistryError(origin: .engine(engine), subject: .voice(declared.id), problem)
        }
        guard FileName.isID(engine) else { throw fault(.engineNamesNoFolder) }
        guard FileName.isID(declared.id) else { throw fault(.idNamesNoFolder) }
        guard declared.model.map(FileName.isID) ?? true else { throw fault(.modelNamesNoFolder) }
        var shared: [ModelFile] = []
        var own: [ModelFile] = []
        let files = try DeclaredVoice.File.resolved(declared.files, fault)
        for (file, resolved) in zip(declared.files, files) {
            if file.isShared, declared.model != nil { shared.append(resolved) } else { own.append(resolved) }
        }
        let model = declared.model.map {
            Model(
                id: "\(engine).\($0)", engine: engine, name: $0, precision: nil, variantOf: nil,
                license: declared.license, cost: nil, probe: nil, files: shared, alternative: [])
        }
        self.init(
            id: declared.id, engine: engine, name: declared.name, language: declared.language,
            accent: declared.accent, gender: declared.gender, grade: nil, quality: nil, license: declared.license,
            cardURL: nil, speakers: declared.speakers, aliases: [], gain: 0, cost: nil, starter: nil,
            isRecommended: false, unsupported: nil,
            model: shared.isEmpty ? nil : model, files: own, alternative: [], folder: "\(engine).\(declared.id)")
    }
}
