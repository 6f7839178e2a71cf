package import SynthCatalogue
import SynthSystem

/// A complete voice, read from the records next to its files rather than from a registry.
package struct InstalledVoice: Sendable, Equatable {
    /// A file or unpacked folder to pass to the engine.
    package struct File: Sendable, Hashable {
        package let role: String
        /// An absolute path.
        package let path: String
    }

    /// The voice, without download URLs: its `files` property is empty.
    package let voice: Voice
    /// An absolute path.
    package let folder: String
    /// The model's files; empty if the voice uses no model.
    package let modelFiles: [File]
    /// The voice's own files.
    package let files: [File]
    /// Whether the user added the voice from their own files.
    package let isUsersOwn: Bool
    /// The loudness before gain is applied; nil if it was not measured.
    package let loudness: VoiceLoudness?
    let modelFolder: String?
    /// The time at which the record was written, in seconds since 1970.
    let installed: Int64
}

/// A complete recognizer model, read from the records next to its files rather than from a registry.
package struct InstalledRecognizerModel: Sendable, Equatable {
    /// The model, without download URLs: its `files` property is empty.
    package let model: RecognizerModelEntry
    /// An absolute path.
    package let folder: String
    package let files: [InstalledVoice.File]
}

/// A voice that the user added and that cannot be used because its files are damaged.
package struct DamagedAddition: Sendable, Equatable {
    package let voice: Voice
    /// A description for the user, such as "voice.onnx is missing".
    package let reason: String
}

extension ModelStore {
    /// All complete voices, sorted by ID. Reads one small file for each entry.
    package func installedVoices() -> [InstalledVoice] { entryNames.compactMap { installedVoice(folder: $0) } }

    /// The user's own voices that are damaged, sorted by ID.
    package func damagedVoices() -> [DamagedAddition] { entryNames.compactMap(damagedVoice) }

    /// All complete recognizer models, sorted by ID. Reads one small file for each entry.
    package func installedRecognizerModels() -> [InstalledRecognizerModel] {
        entryNames.compactMap { name in
            guard let (folder, record) = current(name), let document = record.hearing else { return nil }
            return InstalledRecognizerModel(
                model: RecognizerModelEntry(document, folder: name), folder: folder,
                files: record.filesByRole(in: folder, files))
        }
    }

    /// Describes the damage to a voice that the user added; nil if the voice is complete or the user did not add it.
    package func damage(of voice: Voice) -> String? { damagedVoice(folder: voice.folder)?.reason }

    /// The voice, if it is complete. Reads only its record and its model's record.
    ///
    /// - Parameter engine: the voice's engine; required for voices that an engine itself declares.
    package func installedVoice(id: String, engine: String? = nil) -> InstalledVoice? {
        guard FileName.isID(id) else { return nil }
        if let voice = installedVoice(folder: id), engine == nil || voice.voice.engine == engine { return voice }
        guard let engine, FileName.isID(engine) else { return nil }
        return installedVoice(folder: "\(engine).\(id)")
    }

    /// Whether the voice is complete, with exactly the model that it specifies.
    package func isInstalled(_ voice: Voice) -> Bool {
        guard let found = installedVoice(folder: voice.folder) else { return false }
        return found.voice.model?.id == voice.model?.id
    }

    /// The most recently installed of the models; nil if none is installed.
    package func newest(of models: [Model]) -> Model? {
        models.compactMap { model in current(model.id).map { (model, $0.record.installed) } }.max { $0.1 < $1.1 }?.0
    }

    /// Records that the voice was used. Failures are ignored, because voices in a read-only store must still work.
    package func recordUse(of voice: InstalledVoice) {
        for folder in [voice.folder, voice.modelFolder].compactMap({ $0 }) {
            let record = folder.child(StoreLayout.recordName)
            try? files.touch(record)
            removeLeftover(record + StoreLayout.partSuffix)
        }
    }

    /// Removes the temporary file of a process that was killed while it replaced a record. Does nothing if another
    /// process holds the lock, because that process may be replacing the record.
    private func removeLeftover(_ part: String) {
        guard files.kind(of: part) != nil, let entry = part.split(separator: "/").dropLast(2).last,
            let lock = try? lock(String(entry))
        else { return }
        withExtendedLifetime(lock) { try? files.removeFile(part) }
    }

    func installedVoice(folder name: String) -> InstalledVoice? {
        current(name).flatMap { voice(in: $0.folder, called: name, record: $0.record) }
    }

    /// Returns the voice whose record is in a folder, or nil if the record or the voice's model is missing.
    ///
    /// - Parameter model: the voice's model, if it is not in the store yet.
    func voice(
        in folder: String, called name: String, record: StoreRecord? = nil,
        model: (folder: String, record: StoreRecord)? = nil
    ) -> InstalledVoice? {
        guard let record = record ?? StoreRecord.read(in: folder, files), let document = record.voice else {
            return nil
        }
        var described: Model?
        var shared: (folder: String, record: StoreRecord)?
        if let id = document.model {
            shared = model ?? current(id)
            guard let document = shared?.record.model else { return nil }
            described = Model(document)
        }
        var voice = Voice(document, model: described, files: [], alternative: [], sources: [:], folder: name)
        voice.installed = record.first ?? record.installed
        return InstalledVoice(
            voice: voice, folder: folder, modelFiles: shared.map { $0.record.filesByRole(in: $0.folder, files) } ?? [],
            files: record.filesByRole(in: folder, files), isUsersOwn: record.origin == .user,
            loudness: record.loudness, modelFolder: shared?.folder, installed: record.installed)
    }

    private func damagedVoice(folder name: String) -> DamagedAddition? {
        guard let (folder, record) = own(name), let document = record.voice else { return nil }
        var reason = record.defect(in: folder, files)
        var model: Model?
        if let id = document.model {
            let shared = own(id)
            model = shared?.record.model.map(Model.init)
            reason = reason ?? shared.map { $0.record.defect(in: $0.folder, files) } ?? "its model is missing"
        }
        guard let reason else { return nil }
        return DamagedAddition(
            voice: Voice(document, model: model, files: [], alternative: [], sources: [:], folder: name), reason: reason
        )
    }
}

extension StoreRecord {
    /// The files with their roles, without optional files that are missing or damaged.
    func filesByRole(in folder: String, _ store: any StoreFiles) -> [InstalledVoice.File] {
        let usable = files.filter { !$0.isOptional || $0.isThere(in: folder, store) }
        let single = usable.compactMap { file in
            file.role.map { InstalledVoice.File(role: $0, path: folder.child(file.path)) }
        }
        let whole = (folders ?? [:]).sorted { $0.key < $1.key }
        return single + whole.map { InstalledVoice.File(role: $0.key, path: folder.child($0.value)) }
    }
}
