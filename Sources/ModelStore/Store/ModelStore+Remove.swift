import Glibc
import System
package import VoiceCatalogue

extension ModelStore {
    /// Removes the voice, and its model if no other installed voice uses it.
    ///
    /// - Returns: the bytes that are free again.
    /// - Throws: `.unknown` if it is not there, `.tryAgain` if another process uses it.
    package func remove(_ voice: Voice) async throws(StoreError) -> Int64 {
        try await blocking { () throws(StoreError) in try self.removeNow(voice) }
    }

    /// The same on this thread, which blocks.
    package func removeNow(_ voice: Voice) throws(StoreError) -> Int64 {
        let path = root.child(voice.folder)
        switch files.kind(of: path) {
        case .folder: break
        case nil: throw .notInStore(voice: voice.id)
        default: throw .notOurs(path: path)
        }
        let model = (current(voice.folder) ?? own(voice.folder))?.record.voice?.model ?? voice.model?.id
        var freed = try removeEntry(voice.folder) ?? 0
        if let model, voicesByModel()[model] == nil, files.kind(of: root.child(model)) == .folder {
            freed += try removeEntry(model) { voicesByModel()[model] == nil } ?? 0
        }
        live.publish(.notDownloaded(because: nil), of: voice.folder)
        return freed
    }

    /// The lock file is removed last: until then no other process can work in the folder.
    ///
    /// - Parameter condition: checked while the lock is held.
    /// - Returns: the bytes that are free again; nil if the condition is false.
    func removeEntry(_ name: String, if condition: () -> Bool = { true }) throws(StoreError) -> Int64? {
        let path = root.child(name)
        let freed = files.contentBytes(below: path)
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        guard condition() else { return nil }
        try perform { () throws(FileFailure) in
            let names = try files.names(in: path)
            // The records first: a voice that is partly removed must not look complete.
            for name in names where files.kind(of: path.child(name)) == .folder {
                try files.removeAll(path.child(name).child(StoreLayout.recordName))
            }
            for name in names where name != StoreLayout.lockName { try files.removeAll(path.child(name)) }
            try files.removeAll(path.child(StoreLayout.lockName))
            // Another process may have started to install it again.
            do throws(FileFailure) {
                try files.removeFolder(path)
            } catch  where error.reason == .notEmpty || error.reason == .notFound {
                return
            }
        }
        return freed
    }

    func lock(_ name: String) throws(StoreError) -> StoreLock {
        let outcome: StoreLock.Outcome
        do throws(FileFailure) {
            outcome = try StoreLock.take(root.child(name), waiting: false, files)
        } catch {
            throw .file(error)
        }
        switch outcome {
        case .taken(let lock): return lock
        case .held(let process): throw .busy(entry: name, process: process)
        }
    }

    func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw .file(error) }
    }

    func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await onThread("store") { () -> Result<Value, StoreError> in
            do throws(StoreError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
