import Glibc
import System
package import VoiceCatalogue

extension ModelStore {
    /// Removes the voice, and its model when no other installed voice leans on it.
    ///
    /// - Returns: the bytes that are free again.
    /// - Throws: `.unknown` when it is not there, `.tryAgain` when somebody is at it.
    package func remove(_ voice: Voice) async throws(StoreError) -> Int64 {
        try await blocking { () throws(StoreError) in
            let path = self.root + "/" + voice.folder
            switch self.files.kind(of: path) {
            case .folder: break
            case nil:
                throw StoreError(
                    .unknown, "\(voice.id) is not in the store.", remedy: "See what is: synthhost models list")
            default:
                throw StoreError(
                    .file, "\(path) is no folder of the store but a link or a file, and is left alone.",
                    remedy: "Remove it yourself, if nothing else needs it: rm \(ShellWord.quoted(path))")
            }
            let model = (self.current(voice.folder) ?? self.own(voice.folder))?.record.voice?.model ?? voice.model?.id
            var freed = try self.removeEntry(voice.folder)
            if let model, self.voicesByModel()[model] == nil, self.files.kind(of: self.root + "/" + model) == .folder {
                freed += try self.removeEntry(model)
            }
            self.live.publish(.notDownloaded(because: nil), of: voice.folder)
            return freed
        }
    }

    /// The lock file goes last: until then nobody else can begin in the folder.
    func removeEntry(_ name: String) throws(StoreError) -> Int64 {
        let path = root + "/" + name
        let freed = files.contentBytes(below: path)
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        try perform { () throws(FileFailure) in
            let names = try files.names(in: path)
            // The records first: what is half removed must not look whole.
            for name in names where files.kind(of: path + "/" + name) == .folder {
                try files.removeAll(path + "/" + name + "/" + StoreLayout.recordName)
            }
            for name in names where name != StoreLayout.lockName { try files.removeAll(path + "/" + name) }
            try files.removeAll(path + "/" + StoreLayout.lockName)
            // Somebody may have begun anew by now.
            do throws(FileFailure) {
                try files.removeFolder(path)
            } catch  where error.code == ENOTEMPTY || error.code == ENOENT {
                return
            }
        }
        return freed
    }

    func lock(_ name: String) throws(StoreError) -> StoreLock {
        let outcome: StoreLock.Outcome
        do throws(FileFailure) {
            outcome = try StoreLock.take(root + "/" + name, waiting: false, files)
        } catch {
            throw error.asStoreError
        }
        switch outcome {
        case .taken(let lock): return lock
        case .held(let process):
            let who = process.map { "process \($0)" } ?? "another process"
            throw StoreError(
                .tryAgain, "\(name) is being changed by \(who).", remedy: "Wait for it, then run the same command.")
        }
    }

    func perform(_ body: () throws(FileFailure) -> Void) throws(StoreError) {
        do throws(FileFailure) { try body() } catch { throw error.asStoreError }
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
