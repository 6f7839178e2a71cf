import System
package import VoiceCatalogue

/// What the store has of a voice, whole or not.
package struct VoiceDiskUse: Sendable, Hashable {
    /// The bytes of its files, its model's included: when it is whole, what was downloaded.
    package let size: Int64
    /// In seconds since 1970; `nil` when it was never complete.
    package let lastUsed: Int64?
}

extension ModelStore {
    /// What the store has of the voice; nil where it has nothing of its own, whatever it has of its model.
    package func diskUse(of voice: Voice) -> VoiceDiskUse? {
        guard files.kind(of: root.child(voice.folder)) == .folder else { return nil }
        // The registry may name another model than the one that is here.
        let model = (current(voice.folder) ?? own(voice.folder))?.record.voice?.model ?? voice.model?.id
        let folders = [voice.folder, model].compactMap { $0 }
        let record = current(voice.folder).map { $0.folder.child(StoreLayout.recordName) }
        return VoiceDiskUse(
            size: folders.reduce(0) { $0 + files.contentBytes(below: root.child($1)) },
            lastUsed: record.flatMap { try? files.status(of: $0).modified })
    }

    /// What is to be downloaded of the voice, in words: "5.4 MB", or "4.0 MB left of 5.4 MB" where a part is here.
    package func missingWords(of voice: Voice) -> String {
        let missing = missingBytes(of: voice)
        let whole = ByteCount.words(voice.downloadSize)
        return missing < voice.downloadSize ? "\(ByteCount.words(missing)) left of \(whole)" : whole
    }

    /// The bytes that a pull of the voice would bring, without those that are here.
    package func missingBytes(of voice: Voice) -> Int64 {
        voice.entries.reduce(0) { sum, entry in
            guard current(entry.folder) == nil else { return sum }
            let folder = root.child(entry.folder).child(entry.revision)
            return sum + entry.files.reduce(0) { $0 + max(0, $1.size - bytesArrived(of: $1, in: folder)) }
        }
    }
}
