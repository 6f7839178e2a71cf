import SynthJSON

/// Decodes a `models.json` file. Errors contain the line and the entry's id.
struct RegistryReader {
    let origin: String
    private let root: JSONNode
    private let document: RegistryDocument

    init(origin: String, text: [UInt8]) throws(RegistryError) {
        self.origin = origin
        do {
            root = try JSONReader.read(text, allowsRepeatedKeys: true)
        } catch {
            throw RegistryError(origin: .file(origin), line: error.line, .malformed)
        }
        do {
            document = try root.decode(RegistryDocument.self)
        } catch {
            throw RegistryReader.fault(decoding: error, origin, root)
        }
    }

    func sources() throws(RegistryError) -> [Source] {
        var sources: [Source] = []
        var seen = RegistryIDs()
        for (id, source) in (document.sources ?? [:]).sorted(by: { $0.key < $1.key }) {
            let location = Location(steps: [.key("sources"), .key(id)], subject: .source(id))
            try check(id, location, &seen)
            if let refusal = WebAddress.refusal(of: source.url) {
                throw fault(location, .badAddress(reason: refusal))
            }
            let url = source.url.hasSuffix("/") ? source.url : source.url + "/"
            sources.append(Source(id: id, url: url, revision: source.revision, card: source.card))
        }
        return sources
    }

    func engines() throws(RegistryError) -> [String: EngineHints] {
        var hints: [String: EngineHints] = [:]
        var first: String?
        for (id, engine) in (document.engines ?? [:]).sorted(by: { $0.key < $1.key }) {
            let location = Location(steps: [.key("engines"), .key(id)], subject: .engine(id))
            guard FileName.isID(id) else { throw fault(location, .badID) }
            if let problem = engine.problem { throw fault(location, problem) }
            if engine.first == true {
                if let first { throw fault(location, .secondFirst(after: first)) }
                first = id
            }
            hints[id] = engine.hints
        }
        return hints
    }

    /// - Parameter seen: ids that are used as folder names in the store, including ids from other registries.
    func models(_ sources: [String: Source], _ seen: inout RegistryIDs) throws(RegistryError) -> [Model] {
        var models: [Model] = []
        var own: Set<String> = []
        for (index, model) in (document.models ?? []).enumerated() {
            let location = Location(steps: [.key("models"), .index(index)], subject: .model(model.id))
            try check(model.id, location, &seen, &own)
            let (files, alternative) = try resolve(
                model.files, model.source, model.alternative, sources, location)
            guard !files.isEmpty else { throw fault(location, .noFiles) }
            models.append(
                Model(
                    id: model.id, engine: model.engine, name: model.name, precision: model.precision,
                    variantOf: model.variantOf, license: model.license, cost: try cost(model.cost, location),
                    probe: try model.probe.map { document throws(RegistryError) in try probe(document, location) },
                    files: files, alternative: alternative))
        }
        return models
    }

    func voices(
        _ sources: [String: Source], model find: (String) -> Model?, _ seen: inout RegistryIDs
    ) throws(RegistryError) -> [Voice] {
        var voices: [Voice] = []
        voices.reserveCapacity(document.voices?.count ?? 0)
        var own: Set<String> = []
        for (index, voice) in (document.voices ?? []).enumerated() {
            let location = Location(steps: [.key("voices"), .index(index)], subject: .voice(voice.id))
            try check(voice.id, location, &seen, &own)
            if voice.name.isEmpty { throw fault(location, .noName) }
            for name in [voice.name, voice.accent ?? "none"] where !UserChosenName.isAllowed(name) {
                throw fault(location, .badName)
            }
            if find(voice.id) != nil { throw fault(location, .modelOfSameID) }
            var model: Model?
            if let id = voice.model {
                guard let found = find(id) else { throw fault(location, .unknownModel(id)) }
                model = found.used(by: voice.language)
            }
            let (files, alternative) = try resolve(
                voice.files ?? [], voice.source, voice.alternative, sources, location)
            _ = try cost(voice.cost, location)
            guard !files.isEmpty || model != nil else { throw fault(location, .noFilesNorModel) }
            voices.append(Voice(voice, model: model, files: files, alternative: alternative, sources: sources))
        }
        return voices
    }

    /// - Parameter isTaken: whether a voice or voice model already has the ID.
    func recognizerModelEntries(
        _ sources: [String: Source], unless isTaken: (String) -> Bool, _ seen: inout RegistryIDs
    ) throws(RegistryError) -> [RecognizerModelEntry] {
        var models: [RecognizerModelEntry] = []
        var own: Set<String> = []
        for (index, model) in (document.recognizerModels ?? []).enumerated() {
            let location = Location(steps: [.key("recognizerModels"), .index(index)], subject: .model(model.id))
            try check(model.id, location, &seen, &own)
            guard UserChosenName.isAllowed(model.name) else { throw fault(location, .badName) }
            if isTaken(model.id) { throw fault(location, .modelOfSameID) }
            _ = try cost(model.cost, location)
            let (files, alternative) = try resolve(model.files, model.source, model.alternative, sources, location)
            guard !files.isEmpty else { throw fault(location, .noFiles) }
            models.append(RecognizerModelEntry(model, files: files, alternative: alternative))
        }
        return models
    }

    private struct Location {
        let steps: [JSONNode.Step]
        let subject: RegistryError.Subject
    }

    /// - Parameter own: the IDs of the same type in this registry, which must be unique.
    private func check(
        _ id: String, _ location: Location, _ seen: inout RegistryIDs, _ own: inout Set<String>
    ) throws(RegistryError) {
        try check(id, location, &seen)
        guard own.insert(id).inserted else { throw fault(location, .repeatedID) }
    }

    private func check(_ id: String, _ location: Location, _ seen: inout RegistryIDs) throws(RegistryError) {
        guard FileName.isID(id) else { throw fault(location, .badID) }
        let line = root.line(of: location.steps)
        if let other = seen.add(id, file: origin, line: line) {
            throw fault(location, .differsByCase(from: other.id, file: other.file, line: other.line))
        }
    }

    private func cost(_ cost: Double?, _ location: Location) throws(RegistryError) -> Double? {
        guard cost.map({ $0 > 0 }) ?? true else { throw fault(location, .badCost) }
        return cost
    }

    private func probe(_ probe: ProbeDocument, _ location: Location) throws(RegistryError) -> Probe {
        _ = try cost(probe.cost, location)
        var files: [Probe.File] = []
        for file in probe.files {
            guard FileName.isRole(file.role) else { throw fault(location, .badRole(file.role)) }
            guard FileName.isSafe(file.name), files.allSatisfy({ $0.name != file.name }) else {
                throw fault(location, .badProbeFile(file.name))
            }
            files.append(Probe.File(role: file.role, name: file.name, content: file.content.bytes))
        }
        return Probe(cost: probe.cost, language: probe.language, files: files)
    }

    private func resolve(
        _ files: [FileDocument], _ source: String?, _ alternative: AlternativeDocument?,
        _ sources: [String: Source], _ location: Location
    ) throws(RegistryError) -> ([ModelFile], [ModelFile]) {
        let own = try resolve(files, source, sources, location)
        guard let alternative else { return (own, []) }
        return (own, try resolve(alternative.files, alternative.source, sources, location))
    }

    private func resolve(
        _ files: [FileDocument], _ source: String?, _ sources: [String: Source], _ location: Location
    ) throws(RegistryError) -> [ModelFile] {
        var resolved: [ModelFile] = []
        for file in files {
            let made = try file.resolved(source: source, in: sources) { fault(location, $0) }
            guard resolved.allSatisfy({ $0.name != made.name }) else {
                throw fault(location, .repeatedFile(made.name))
            }
            resolved.append(made)
        }
        return resolved
    }

    private func fault(_ location: Location, _ problem: RegistryProblem) -> RegistryError {
        RegistryError(
            origin: .file(origin), line: root.line(of: location.steps), subject: location.subject, problem)
    }

    private static func fault(decoding error: DecodingError, _ origin: String, _ root: JSONNode) -> RegistryError {
        let (problem, context): (RegistryProblem, DecodingError.Context) =
            switch error {
            case .keyNotFound(let key, let context): (.missingKey(key.stringValue), context)
            case .valueNotFound(_, let context): (.missingValue, context)
            case .typeMismatch(_, let context): (.wrongKind, context)
            case .dataCorrupted(let context): (.malformed, context)
            @unknown default: (.malformed, DecodingError.Context(codingPath: [], debugDescription: ""))
            }
        let steps = context.codingPath.map { $0.intValue.map(JSONNode.Step.index) ?? .key($0.stringValue) }
        let name = steps.last.flatMap { if case .key(let name) = $0 { name } else { nil } }
        return RegistryError(
            origin: .file(origin), line: steps.isEmpty ? nil : root.line(of: steps), subject: name.map { .key($0) },
            problem)
    }
}

extension FileDocument {
    /// Checks the file's role, URLs, digest, size, name and archive members.
    ///
    /// - Parameter fault: adds the location to a problem.
    func resolved(
        source: String?, in sources: [String: Source], _ fault: (RegistryProblem) -> RegistryError
    ) throws(RegistryError) -> ModelFile {
        guard FileName.isRole(role) else { throw fault(.badRole(role)) }
        let address: String
        let name: String?
        if let path {
            guard FileName.isSafePath(path) else { throw fault(.badPath(path)) }
            guard let source else { throw fault(.pathWithoutSource(path)) }
            guard let base = sources[source] else { throw fault(.unknownSource(source)) }
            address = base.address(of: path)
            name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        } else if let url {
            if let refusal = WebAddress.refusal(of: url) { throw fault(.badAddress(reason: refusal)) }
            address = url
            name = WebAddress.fileName(of: url)
        } else {
            throw fault(.noAddress(role: role))
        }
        for mirror in mirrors ?? [] {
            if let refusal = WebAddress.refusal(of: mirror) { throw fault(.badAddress(reason: refusal)) }
        }
        guard let name, FileName.isSafe(name) else { throw fault(.namelessAddress(address)) }
        guard size > 0, size <= ModelFile.largestSize else { throw fault(.badSize(name)) }
        guard let digest = sha256.map({ Digest(.sha256, $0) }) ?? md5.map({ Digest(.md5, $0) }) ?? nil else {
            throw fault(.noDigest(name))
        }
        return ModelFile(
            role: role, name: name, url: address, mirrors: mirrors ?? [], size: size, digest: digest,
            archive: try contents(of: name, fault),
            isOptional: optional ?? false, language: language)
    }

    private func contents(
        of name: String, _ fault: (RegistryProblem) -> RegistryError
    ) throws(RegistryError) -> ArchiveContents? {
        guard unpacked != nil || roles != nil || members != nil else { return nil }
        guard ArchiveKind(name: name) != nil else { throw fault(.notAnArchive(name)) }
        guard (unpacked ?? 1) > 0, (unpacked ?? 0) <= ModelFile.largestSize else {
            throw fault(.badUnpackedSize(name))
        }
        for member in (roles ?? [:]).values.sorted() + (members ?? []) {
            guard FileName.isSafePath(member.hasSuffix("/") ? String(member.dropLast()) : member) else {
                throw fault(.badMember(member, archive: name))
            }
        }
        for role in (roles ?? [:]).keys.sorted() where !FileName.isRole(role) {
            throw fault(.badRole(role))
        }
        return ArchiveContents(unpackedSize: unpacked, roles: roles ?? [:], members: members)
    }
}

extension ModelFile {
    /// The maximum file size in bytes. Larger values are considered mistakes.
    static let largestSize: Int64 = 1 << 40
}
