import Glibc
package import SynthEngineWire
import SynthSystem

/// The folders below the user's cache. What an engine or a recognizer writes is in a folder of its own by kind and id, below one that holds
/// nothing else. What the host itself keeps is in a folder that no id names: ids have no underscore.
package struct CacheFolders: Sendable {
    package let root: String

    package init(root: String) { self.root = root }

    /// The folder with the folders of all plugins of a kind.
    package func prepared(_ kind: PluginKind) -> String { "\(root)/\(kind.rawValue)" }

    /// Where a plugin keeps what it makes of models.
    package func prepared(_ kind: PluginKind, _ id: String) -> String { "\(prepared(kind))/\(id)" }

    private var own: String { "\(root)/_host" }
    /// What plugins said of themselves.
    package var scans: String { "\(own)/scans" }
    /// The files of the model that measures the machine.
    package var probe: String { "\(own)/probe" }
    /// How fast the machine is.
    package var pace: String { "\(own)/pace" }

    /// Makes the folder of a plugin.
    ///
    /// - Parameter isShared: whether a plugin of the other kind has this id. It is asked only about a folder of an earlier version, which
    ///   both could write.
    /// - Returns: nil = nothing can be written there.
    func make(_ kind: PluginKind, _ id: String, isShared: () -> Bool) -> String? {
        guard discardUntrusted() else { return nil }
        takeOver(kind, id, isShared: isShared)
        let folder = prepared(kind, id)
        makeFolder(of: "\(folder)/")
        return access(folder, W_OK | X_OK) == 0 ? folder : nil
    }

    /// Why the cache takes no files; nil = it takes a small one. Blocks for a moment.
    var problem: FileFailure? {
        if let error = makeFolder(of: "\(own)/") { return FileFailure(error, call: "mkdir", path: root) }
        do {
            // It never gets a name.
            let trial = try ReplacementFile(at: "\(own)/trial")
            try trial.file.writeAll([UInt8](repeating: 0, count: 1 << 16))
            return nil
        } catch {
            return FileFailure(error, call: "write", path: root)
        }
    }

    // MARK: - Folders of earlier versions

    /// Earlier versions gave an engine the folder `ID` of the cache, whatever its id was, and kept their own records beside these folders.
    private static let names = [PluginKind.engine.rawValue, PluginKind.recognizer.rawValue, "engines", "probe", "pace"]
    private static let discarded = "_old-"
    /// It is there once what earlier versions left is gone. An earlier version's engine could not make it.
    private var marker: String { "\(root)/_layout-2" }

    /// Removes, once, what has a name that means something now and that an engine of an earlier version could write. A process that
    /// is killed meanwhile leaves it to the next one.
    ///
    /// - Returns: false = it is still there, or there is no cache.
    private func discardUntrusted() -> Bool {
        if access(marker, F_OK) == 0 { return true }
        makeFolder(of: marker)
        guard let folder = try? Descriptor.open(root, O_RDONLY | O_DIRECTORY) else { return false }
        while flock(folder.raw, LOCK_EX) != 0, errno == EINTR {}
        defer { flock(folder.raw, LOCK_UN) }
        if access(marker, F_OK) == 0 { return true }
        for (number, name) in Self.names.enumerated() {
            // Out of the way at once: removing may take a while.
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

    /// Moves the folder that an earlier version gave a plugin, whose content is expensive to make, to its new place. It is removed instead
    /// if plugins of both kinds could write it.
    private func takeOver(_ kind: PluginKind, _ id: String, isShared: () -> Bool) {
        let old = "\(root)/\(id)"
        guard !Self.names.contains(id), isOwnFolder(old), !isOwnFolder(prepared(kind, id)) else { return }
        if isShared() {
            _ = try? FolderRemoval.remove(old)
        } else {
            makeFolder(of: prepared(kind, id))
            // Of two processes that do it at once, one finds nothing to move.
            rename(old, prepared(kind, id))
        }
    }

    /// Whether it is a folder of this user, and no link to one.
    private func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
    }

    /// The folders of engines that an earlier version left and that are not used any more, or would be moved when a model is loaded.
    var ofEarlierVersions: [String] {
        FolderListing.names(in: root).filter { name in
            (EngineDescription.isID(name) && !Self.names.contains(name) || name.hasPrefix(Self.discarded))
                && isOwnFolder("\(root)/\(name)")
        }
    }
}
