import Glibc
import SynthCatalogue
import SynthSystem

/// The result of a removal from the store.
package struct StoreRemoval: Equatable, Sendable {
    /// The number of bytes that were freed.
    package var freed: Int64 = 0
    /// Absolute paths of files and folders that were kept because the store did not create them.
    package var foreign: [String] = []

    mutating func add(_ content: EntryContent) {
        freed += content.size
        foreign += content.foreign
    }
}

extension ModelStore {
    /// Removes the voice, and its model if no other installed voice uses it. Files that the store did not create are kept.
    /// Blocks.
    ///
    /// - Throws: an error of the kind `.unknown` if the voice is not installed, `.tryAgain` if another process is using it, or
    ///   `.file` if its files cannot be removed.
    package func remove(_ voice: any Installable) throws(StoreError) -> StoreRemoval {
        let path = root.child(voice.folder)
        switch files.kind(of: path) {
        case .folder: break
        case nil: throw .notInStore(voice: voice.id)
        default: throw .notOurs(path: path)
        }
        let model = (current(voice.folder) ?? own(voice.folder))?.record.voice?.model ?? voice.shared
        let known = Set(voice.entries.flatMap { $0.files + $0.alternative }.map(\.name))
        var removal = StoreRemoval()
        if let content = try removeEntry(voice.folder, known) { removal.add(content) }
        if let model, voicesByModel()[model] == nil, files.kind(of: root.child(model)) == .folder,
            let content = try removeEntry(model, known, if: { voicesByModel()[model] == nil })
        {
            removal.add(content)
        }
        return removal
    }

    /// Removes an entry, but keeps files in its folder that synthhost did not create.
    ///
    /// - Parameters:
    ///   - known: the names of the entry's files in a registry.
    ///   - condition: checked while the lock is held.
    /// - Returns: the contents of the entry; nil if the condition is false.
    func removeEntry(
        _ name: String, _ known: Set<String>, if condition: () -> Bool = { true }
    ) throws(StoreError) -> EntryContent? {
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        guard condition() else { return nil }
        do {
            let content = try EntryContent(entry: root.child(name), known: known, files)
            try content.remove(files)
            return content
        } catch {
            throw .file(error)
        }
    }
}
