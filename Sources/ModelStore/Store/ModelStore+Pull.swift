import Glibc
import System
import VoiceCatalogue

extension ModelStore {
    /// Makes the voices ready: downloads what is missing, resumes what an earlier pull began, repairs what is damaged.
    /// A model that several of them use is downloaded once. If one fails, the others are still pulled.
    ///
    /// - Parameters:
    ///   - waits: whether to wait for another process that changes the same files; if not, that is an error.
    ///   - offered: files of the user's. Those that are, byte for byte, files of the voices are copied instead of downloaded.
    /// - Throws: the first failure, after all the others were tried; `.cancelled` if the task was cancelled.
    package func pull(_ voices: [any Installable], waits: Bool = true, offering offered: [String] = [])
        async throws(StoreError)
    {
        let cancellation = CancellationSignal()
        let pull = PullProgress(voices, live)
        let result = await withTaskCancellationHandler {
            await run(pull, waits: waits, offered, cancellation)
        } onCancel: {
            cancellation.cancel()
        }
        let ends = voices.map { endState(of: $0, result) }
        for (voice, state) in zip(voices, ends) { live.publish(state, of: voice.folder) }
        if voices.count > 1 {
            live.publish(ends.first { $0 != .ready } ?? .ready, of: LiveStates.name(of: voices))
        }
        let errors = pull.entries.compactMap { result[$0.folder] }
        if let error = errors.first(where: { $0.kind == .cancelled }) ?? errors.first { throw error }
        if let voice = voices.first(where: { stateOnDisk(of: $0) != .ready }) {
            throw .removedMeanwhile(voice: voice.id)
        }
    }

    private func endState(of voice: any Installable, _ errors: [String: StoreError]) -> DownloadState {
        let error = voice.entries.compactMap { errors[$0.folder] }.first
        guard let error, error.kind != .cancelled else { return stateOnDisk(of: voice) }
        return DownloadState(error)
    }

    /// The errors by entry.
    private func run(
        _ pull: PullProgress, waits: Bool, _ offered: [String], _ cancellation: CancellationSignal
    ) async -> [String: StoreError] {
        // Two at once: one verifies while the other downloads. More would only share the same bandwidth.
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
            let installer = EntryInstaller(
                root: self.root, entry: entry, voiceID: pull.name(of: entry), files: self.files,
                fetcher: self.fetcher, network: self.network, limits: self.limits, cancellation: cancellation,
                offered: offered, installed: self.date(after: entry.folder), report: EntryReport(pull, entry))
            do throws(StoreError) {
                try installer.install(waits: waits)
                pull.finish(entry)
                return (entry.folder, nil)
            } catch {
                return (entry.folder, error)
            }
        }
    }
}
