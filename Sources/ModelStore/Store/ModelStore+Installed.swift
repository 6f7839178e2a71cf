extension ModelStore {
    /// Every voice that could speak now, sorted by id. Reads one small file for each.
    package func installedVoices() -> [InstalledVoice] {
        let names = ((try? files.names(in: root)) ?? []).filter(FileName.isID).sorted()
        return names.compactMap { installedVoice(folder: $0) }
    }

    /// The voice, if it could speak now. Reads its record and its model's, nothing else.
    ///
    /// - Parameter engine: needed for voices that an engine declares itself.
    package func installedVoice(id: String, engine: String? = nil) -> InstalledVoice? {
        guard FileName.isID(id) else { return nil }
        if let voice = installedVoice(folder: id), engine == nil || voice.voice.engine == engine { return voice }
        guard let engine, FileName.isID(engine) else { return nil }
        return installedVoice(folder: "\(engine).\(id)")
    }

    /// Notes that the voice spoke. Cheap; a store that cannot be written to is no reason to be silent.
    package func recordUse(of voice: InstalledVoice) {
        for folder in [voice.folder, voice.modelFolder].compactMap({ $0 }) {
            try? files.touch(folder + "/" + StoreLayout.recordName)
        }
    }

    func installedVoice(folder name: String) -> InstalledVoice? {
        guard let (folder, record) = current(name), let document = record.voice else { return nil }
        var model: Model?
        var modelFolder: String?
        var modelFiles: [InstalledVoice.File] = []
        if let id = document.model {
            guard let found = current(id), let described = found.record.model else { return nil }
            model = Model(described)
            modelFolder = found.folder
            modelFiles = found.record.filesByRole(in: found.folder)
        }
        let voice = Voice(document, model: model, files: [], alternative: [], sources: [:], folder: name)
        return InstalledVoice(
            voice: voice, folder: folder, modelFiles: modelFiles, files: record.filesByRole(in: folder),
            isUsersOwn: record.origin == .user, size: record.files.reduce(0) { $0 + $1.size }, modelFolder: modelFolder)
    }
}

extension StoreRecord {
    func filesByRole(in folder: String) -> [InstalledVoice.File] {
        let single = files.compactMap { file in
            file.role.map { InstalledVoice.File(role: $0, path: folder + "/" + file.path) }
        }
        let whole = (folders ?? [:]).sorted { $0.key < $1.key }
        return single + whole.map { InstalledVoice.File(role: $0.key, path: folder + "/" + $0.value) }
    }
}
