package import VoiceCatalogue
import System

extension ModelStore {
    /// The entries with their sizes, the largest first.
    package func diskUse() -> [StoreItem] {
        let dependents = voicesByModel()
        let items = entryNames.filter { files.kind(of: root.child($0)) == .folder }.map { name in
            let found = current(name)
            let kind: StoreItem.Kind = found.map { $0.record.model == nil ? .voice : .model } ?? .incomplete
            let used = found.flatMap { try? files.status(of: $0.folder.child(StoreLayout.recordName)).modified }
            return StoreItem(
                name: name, kind: kind, size: files.contentBytes(below: root.child(name)), lastUsed: used,
                voices: dependents[name] ?? [])
        }
        return items.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
    }

    /// The size of a model that no installed voice uses; nil if one does, or the model is not installed.
    package func unusedBytes(of model: Model) -> Int64? {
        guard current(model.id) != nil, voicesByModel()[model.id] == nil else { return nil }
        return files.contentBytes(below: root.child(model.id))
    }

    /// The folders of installed voices, by the model that they use. Damaged voices of the user's own count too, because
    /// their models cannot be downloaded again.
    func voicesByModel() -> [String: [String]] {
        var dependents: [String: [String]] = [:]
        for name in entryNames {
            if let model = (current(name) ?? own(name))?.record.voice?.model {
                dependents[model, default: []].append(name)
            }
        }
        return dependents
    }
}
