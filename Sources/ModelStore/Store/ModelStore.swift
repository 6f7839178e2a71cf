import Glibc
import Synchronization
import System
import VoiceCatalogue

/// The files of voices on this machine. Lists, installs, verifies and removes them.
///
/// Queries (`state`, `installed…`) read the disk and are quick. Functions that change something are `async`, work on
/// their own threads, and stop if their task is cancelled. Several stores in several processes may share one root.
package final class ModelStore: Sendable {
    /// Absolute.
    package let root: String
    let files: any StoreFiles
    let fetcher: any Fetcher
    let network: NetworkPolicy
    let limits: ArchiveLimits
    let live = LiveStates()

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

    /// `$XDG_DATA_HOME/synthhost/models`, else below `~/.local/share`.
    package static func defaultRoot(environment: [String: String]) -> String {
        let data = environment["XDG_DATA_HOME"] ?? ""
        // The XDG base directory specification ignores relative paths.
        let base = data.hasPrefix("/") ? data : (environment["HOME"] ?? "/") + "/.local/share"
        return base + "/synthhost/models"
    }

    /// The state of the voice now: the work of this process on it, else what is on the disk.
    package func state(of voice: any Installable) -> DownloadState {
        guard let state = live.state(of: voice.folder) else { return stateOnDisk(of: voice) }
        if state.isBusy { return state }
        let found = stateOnDisk(of: voice)
        return found == .ready ? found : state
    }

    /// The state of the voice from now on. The stream never ends by itself; a slow reader gets the newest state only.
    package func states(of voice: any Installable) -> AsyncStream<DownloadState> {
        live.states(of: voice.folder) { self.stateOnDisk(of: voice) }
    }

    /// The state of several voices that are pulled together, as one. Bytes are summed over all of them; a shared model
    /// counts once.
    package func states(of voices: [any Installable]) -> AsyncStream<DownloadState> {
        live.states(of: LiveStates.name(of: voices)) {
            voices.lazy.map { self.stateOnDisk(of: $0) }.first { $0 != .ready } ?? .ready
        }
    }

    /// The folder of the voice in the store, whether it exists or not.
    package func path(of voice: any Installable) -> String {
        guard let entry = voice.entries.last else { return root }
        return current(entry.folder)?.folder ?? root.child(entry.folder).child(entry.revision)
    }

    func stateOnDisk(of voice: any Installable) -> DownloadState {
        var arrived: Int64 = 0
        var isMissing = false
        for entry in voice.entries {
            if current(entry.folder) != nil {
                arrived += entry.downloadSize
                continue
            }
            let folder = root.child(entry.folder).child(entry.revision)
            if let record = StoreRecord.read(in: folder, files), let reason = record.defect(in: folder, files) {
                // A model is named, because the voice is not what is damaged.
                return .notDownloaded(because: entry.folder == voice.folder ? reason : "\(entry.folder): \(reason)")
            }
            isMissing = true
            arrived += entry.files.reduce(0) { $0 + bytesArrived(of: $1, in: folder) }
        }
        guard isMissing else { return .ready }
        guard arrived > 0 else { return .notDownloaded(because: nil) }
        return .notDownloaded(
            because: "\(ByteCount.words(arrived)) of \(ByteCount.words(voice.downloadSize)) are here")
    }

    func bytesArrived(of file: ModelFile, in folder: String) -> Int64 {
        for name in [file.name, file.name + StoreLayout.partSuffix] {
            if let status = try? files.status(of: folder.child(name)) { return min(status.size, file.size) }
        }
        return 0
    }

    var now: Int64 { Int64(time(nil)) }
}
