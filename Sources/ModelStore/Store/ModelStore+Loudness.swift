import System
package import VoiceCatalogue

extension ModelStore {
    /// Keeps how loud a voice is in its record. Blocks. If this throws, the record is as it was.
    ///
    /// - Throws: `.removedMeanwhile` if the voice is not what it was any more, `.busy` if another process changes it,
    ///   `.notOurs` if it is a link to something outside the store.
    package func remember(_ loudness: VoiceLoudness, of voice: InstalledVoice) throws(StoreError) {
        let name = voice.voice.folder
        switch files.kind(of: root.child(name)) {
        case .folder: break
        case nil: throw .removedMeanwhile(voice: voice.voice.id)
        default: throw .notOurs(path: root.child(name))
        }
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        guard var record = StoreRecord.read(in: voice.folder, files), record.installed == voice.installed,
            record.voice?.model == voice.voice.model?.id
        else { throw .removedMeanwhile(voice: voice.voice.id) }
        record.loudness = loudness
        try perform { () throws(FileFailure) in try record.write(in: voice.folder, files) }
    }
}
