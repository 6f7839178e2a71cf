package import VoiceCatalogue
import System

extension ModelStore {
    /// What takes how much, the largest first.
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

    /// What a model takes that no installed voice leans on; nil where one does, or it is not here.
    package func unusedBytes(of model: Model) -> Int64? {
        guard current(model.id) != nil, voicesByModel()[model.id] == nil else { return nil }
        return files.contentBytes(below: root.child(model.id))
    }

    /// The folders of installed voices, by the model that they lean on. One of the user's own that is damaged counts:
    /// its model comes from nowhere else.
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
