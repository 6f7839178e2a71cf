import Glibc
package import SynthEngineWire
import SynthSystem

/// The folders in the user's cache. Each plugin has a data folder named after its ID, in a folder for its kind that
/// contains nothing else. The host's own data is in a folder whose name contains an underscore and therefore cannot be
/// an ID.
package struct CacheFolders: Sendable {
    package let root: String

    package init(root: String) { self.root = root }

    /// The folder that contains the data folders of all plugins of a kind.
    package func prepared(_ kind: PluginKind) -> String { "\(root)/\(kind.rawValue)" }

    /// The folder in which a plugin stores data derived from models.
    package func prepared(_ kind: PluginKind, _ id: String) -> String { "\(prepared(kind))/\(id)" }

    private var own: String { "\(root)/_host" }
    /// The results of plugin scans.
    package var scans: String { "\(own)/scans" }
    /// The files of the probe model for measuring the machine's speed.
    package var probe: String { "\(own)/probe" }
    /// The machine's measured speed.
    package var pace: String { "\(own)/pace" }

    /// Creates the data folder of a plugin.
    ///
    /// - Parameter isShared: whether a plugin of the other kind has the same ID. Called only if a folder from an
    ///   earlier version exists, because plugins of both kinds could write to it.
    /// - Returns: nil if the folder is not writable.
    func make(_ kind: PluginKind, _ id: String, isShared: () -> Bool) -> String? {
        guard discardUntrusted() else { return nil }
        takeOver(kind, id, isShared: isShared)
        let folder = prepared(kind, id)
        makeFolder(of: "\(folder)/")
        return access(folder, W_OK | X_OK) == 0 ? folder : nil
    }

    /// Why the cache is not writable, or nil if a small test file can be written. Blocks briefly.
    var problem: FileFailure? {
        if let error = makeFolder(of: "\(own)/") { return FileFailure(error, call: "mkdir", path: root) }
        do {
            // The test file is discarded before it gets a name.
            let trial = try ReplacementFile(at: "\(own)/trial")
            try trial.file.writeAll([UInt8](repeating: 0, count: 1 << 16))
            return nil
        } catch {
            return FileFailure(error, call: "write", path: root)
        }
    }

    // MARK: - Folders of earlier versions

    /// Names that the current layout uses. Earlier versions named each engine's folder after its ID and kept their own
    /// records next to these folders.
    private static let names = [PluginKind.engine.rawValue, PluginKind.recognizer.rawValue, "engines", "probe", "pace"]
    private static let discarded = "_old-"
    /// A marker file that exists once the data of earlier versions has been removed. An engine running under an earlier
    /// version could not have created this file, because its name cannot be an engine ID.
    private var marker: String { "\(root)/_layout-2" }

    /// Removes, once only, any data that an engine run by an earlier version could have written under a name that the
    /// current layout uses. If the process is killed, the next process resumes the removal.
    ///
    /// - Returns: false if such data remains or the cache does not exist.
    private func discardUntrusted() -> Bool {
        if access(marker, F_OK) == 0 { return true }
        makeFolder(of: marker)
        guard let folder = try? Descriptor.open(root, O_RDONLY | O_DIRECTORY) else { return false }
        while flock(folder.raw, LOCK_EX) != 0, errno == EINTR {}
        defer { flock(folder.raw, LOCK_UN) }
        if access(marker, F_OK) == 0 { return true }
        for (number, name) in Self.names.enumerated() {
            // Rename first, because removal may take a while.
            rename("\(root)/\(name)", "\(root)/\(Self.discarded)\(getpid())-\(number)")
        }
        guard Self.names.allSatisfy({ FileIdentity(path: "\(root)/\($0)") == nil }),
            (try? Descriptor.open(marker, O_WRONLY | O_CREAT, mode: 0o600)) != nil
        else { return false }
        for name in FolderListing.names(in: root) where name.hasPrefix(Self.discarded) {
            _ = try? FolderRemoval.remove("\(root)/\(name)")
        }
        return true
    }

    /// Moves the folder that an earlier version used for a plugin to its new location, because recreating its contents
    /// is expensive. If plugins of both kinds could have written to the folder, it is removed instead.
    private func takeOver(_ kind: PluginKind, _ id: String, isShared: () -> Bool) {
        let old = "\(root)/\(id)"
        guard !Self.names.contains(id), isOwnFolder(old), !isOwnFolder(prepared(kind, id)) else { return }
        if isShared() {
            _ = try? FolderRemoval.remove(old)
        } else {
            makeFolder(of: prepared(kind, id))
            // If two processes do this at the same time, the second one finds nothing to move.
            rename(old, prepared(kind, id))
        }
    }

    /// Whether the path refers to a folder that belongs to this user and is not a symbolic link.
    private func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
    }

    /// An earlier version's engine folders, which are either obsolete or moved when their model is loaded.
    var ofEarlierVersions: [String] {
        FolderListing.names(in: root).filter { name in
            (EngineDescription.isID(name) && !Self.names.contains(name) || name.hasPrefix(Self.discarded))
                && isOwnFolder("\(root)/\(name)")
        }
    }
}
