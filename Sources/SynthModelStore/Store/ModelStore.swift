import Glibc
import SynthCatalogue
import SynthSystem

/// Lists, installs, verifies and removes voice files.
///
/// Queries (`state`, `installed…`) read from disk and are fast. Functions that make changes are `async`, run on their
/// own threads, and stop if their task is cancelled. Several stores, in several processes, may share one root.
package final class ModelStore: Sendable {
    /// An absolute path.
    package let root: String
    let files: any StoreFiles
    let fetcher: any Fetcher
    let network: NetworkPolicy
    let limits: ArchiveLimits

    package init(
        root: String, fetcher: any Fetcher, network: NetworkPolicy = NetworkPolicy(),
        limits: ArchiveLimits = ArchiveLimits(), files: (any StoreFiles)? = nil
    ) {
        self.root = root
        self.fetcher = fetcher
        self.network = network
        self.limits = limits
        self.files = files ?? SystemFiles(root: root)
    }

    /// The voice's folder in the store, which need not exist.
    package func path(of voice: any Installable) -> String {
        guard let entry = voice.entries.last else { return root }
        return current(entry.folder)?.folder ?? root.child(entry.folder).child(entry.revision)
    }

    /// The state on disk: `ready` or `notDownloaded`.
    package func state(of voice: any Installable) -> DownloadState {
        var arrived: Int64 = 0
        var isMissing = false
        for entry in voice.entries {
            if current(entry.folder) != nil {
                arrived += entry.downloadSize
                continue
            }
            let folder = root.child(entry.folder).child(entry.revision)
            if let record = StoreRecord.read(in: folder, files), let reason = record.defect(in: folder, files) {
                // The message names the model, because the damage is not in the voice itself.
                return .notDownloaded(because: entry.folder == voice.folder ? reason : "\(entry.folder): \(reason)")
            }
            isMissing = true
            arrived += entry.files.reduce(0) { $0 + bytesArrived(of: $1, in: folder) }
        }
        guard isMissing else { return .ready }
        guard arrived > 0 else { return .notDownloaded(because: nil) }
        return .notDownloaded(
            because: "\(ByteCount.words(arrived)) of \(ByteCount.words(voice.downloadSize)) has been downloaded")
    }

    func bytesArrived(of file: ModelFile, in folder: String) -> Int64 {
        for name in [file.name, file.name + StoreLayout.partSuffix] {
            if let status = try? files.status(of: folder.child(name)) { return min(status.size, file.size) }
        }
        return 0
    }

    var now: Int64 { Int64(time(nil)) }
}

extension ModelStore {
    /// Makes the voices ready: downloads missing files, resumes earlier pulls, and repairs damage. A model that several voices use is
    /// downloaded once. If one voice fails, the other voices are still pulled.
    ///
    /// - Parameters:
    ///   - waits: whether to wait if another process or task is using the same files; if false, an error is thrown.
    ///   - offered: the user's files. Files that are identical to the voices' files are copied instead of downloaded.
    ///   - onState: receives the combined progress of all voices, with a shared model counted once. It is called only
    ///     while work is in progress, on any thread, one call at a time.
    /// - Throws: `.cancelled` if the task was cancelled; otherwise the first error, once all voices have been tried. `.removedMeanwhile`
    ///   means that another process removed a voice before this call ended.
    package func pull(
        _ voices: [any Installable], waits: Bool = true, offering offered: [String] = [],
        onState: @escaping @Sendable (DownloadState) -> Void = { _ in }
    ) async throws(StoreError) {
        let cancellation = CancellationSignal()
        let pull = PullProgress(voices, onState: onState)
        let result = await withTaskCancellationHandler {
            await run(pull, waits: waits, offered, cancellation)
        } onCancel: {
            cancellation.cancel()
        }
        let errors = pull.entries.compactMap { result[$0.folder] }
        if let error = errors.first(where: { $0.kind == .cancelled }) ?? errors.first { throw error }
        if let voice = voices.first(where: { state(of: $0) != .ready }) {
            throw .removedMeanwhile(voice: voice.id)
        }
    }

    /// Returns the errors, keyed by entry.
    private func run(
        _ pull: PullProgress, waits: Bool, _ offered: [String], _ cancellation: CancellationSignal
    ) async -> [String: StoreError] {
        // Process two entries at a time: one is verified while the other is downloaded. More downloads would only share
        // the same bandwidth.
        await withTaskGroup(of: (String, StoreError?).self) { group in
            var errors: [String: StoreError] = [:]
            var rest = pull.entries[...]
            for entry in rest.prefix(2) {
                group.addTask { await self.install(entry, pull, waits: waits, offered, cancellation) }
            }
            rest = rest.dropFirst(2)
            for await (folder, error) in group {
                errors[folder] = error
                guard let entry = rest.popFirst() else { continue }
                group.addTask { await self.install(entry, pull, waits: waits, offered, cancellation) }
            }
            return errors
        }
    }

    private func install(
        _ entry: StoreEntry, _ pull: PullProgress, waits: Bool, _ offered: [String],
        _ cancellation: CancellationSignal
    ) async -> (String, StoreError?) {
        await onThread("pull") {
            let report = EntryReport(pull: pull, entry: entry)
            let installer = EntryInstaller(
                store: self, entry: entry, cancellation: cancellation, offered: offered,
                installed: self.date(after: entry.folder), first: self.firstDate(of: entry.folder), report: report)
            do throws(StoreError) {
                try installer.install(waits: waits)
                report.finishes()
                return (entry.folder, nil)
            } catch {
                return (entry.folder, error)
            }
        }
    }
}
