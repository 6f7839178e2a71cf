package import SynthCatalogue
import SynthSystem

/// The disk space that a complete or incomplete voice uses in the store.
package struct StoreUse: Sendable, Equatable {
    /// The total size of the voice's files and its model's files in bytes.
    package let size: Int64
    /// The time of the last use, in seconds since 1970; nil if the download was never completed.
    package let lastUsed: Int64?
}

extension ModelStore {
    /// The total size of all entries in bytes.
    package var bytesOnDisk: Int64 {
        entryNames.map { root.child($0) }.filter { files.kind(of: $0) == .folder }
            .reduce(0) { $0 + files.contentBytes(below: $1) }
    }

    /// The size of a model that no installed voice uses; nil if a voice uses the model or the model is not installed.
    package func unusedBytes(of model: Model) -> Int64? {
        guard current(model.id) != nil, voicesByModel()[model.id] == nil else { return nil }
        return files.contentBytes(below: root.child(model.id))
    }

    /// The folders of installed voices, keyed by model. The user's own damaged voices are included, because their models cannot be
    /// downloaded again.
    func voicesByModel() -> [String: [String]] {
        var dependents: [String: [String]] = [:]
        for name in entryNames {
            if let model = (current(name) ?? own(name))?.record.voice?.model {
                dependents[model, default: []].append(name)
            }
        }
        return dependents
    }

    /// Whether the store contains any of the voice's own files, complete or not. For a voice without its own files, the model's
    /// files are checked.
    package func holds(_ voice: any Installable) -> Bool {
        let folder = root.child(voice.folder)
        // The folder may contain just a lock, as at the beginning of a download.
        guard files.kind(of: folder) == .folder else { return false }
        if files.contentBytes(below: folder) > 0 { return true }
        return records(of: voice.folder).contains { found in
            found.record.voice?.model.map { files.contentBytes(below: root.child($0)) > 0 } ?? true
        }
    }

    /// The disk space that the voice uses; nil if the store contains none of its own files, even if it contains the model.
    package func diskUse(of voice: any Installable) -> StoreUse? {
        guard holds(voice) else { return nil }
        // The registry's model may differ from the installed model.
        let model = (current(voice.folder) ?? own(voice.folder))?.record.voice?.model ?? voice.shared
        let folders = [voice.folder, model].compactMap { $0 }
        let record = current(voice.folder).map { $0.folder.child(StoreLayout.recordName) }
        return StoreUse(
            size: folders.reduce(0) { $0 + files.contentBytes(below: root.child($1)) },
            lastUsed: record.flatMap { try? files.status(of: $0).modified })
    }

    /// The number of bytes still to be downloaded for the voice.
    package func missingBytes(of voice: any Installable) -> Int64 {
        voice.entries.reduce(0) { sum, entry in
            guard current(entry.folder) == nil else { return sum }
            let folder = root.child(entry.folder).child(entry.revision)
            return sum + entry.files.reduce(0) { $0 + max(0, $1.size - bytesArrived(of: $1, in: folder)) }
        }
    }
}
