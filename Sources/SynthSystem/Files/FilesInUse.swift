import Glibc

/// The purpose for which a program reads a file.
package enum FileUse: Equatable, Sendable, CaseIterable {
    case text
    case sound
    case clip
    case lexicon
    case configuration
    case registry
    /// A table of language rules.
    case languageTable
    case voice
    case engine
    /// One of synthhost's programs.
    case program
}

/// Tracks the files that a program reads, so that no output overwrites them. Files may be added at any time, from any
/// thread.
package final class FilesInUse: Sendable {
    private enum Entry: Hashable {
        case file(RegularFile)
        case path(String)
    }
    private struct State {
        var entries: [Entry: FileUse] = [:]
        var lists: [(use: FileUse, paths: @Sendable () -> [String])] = []
        /// Files known not to be in use; cleared when an entry is added.
        var others: Set<RegularFile> = []
    }
    private let state = Monitor(State())

    package init() {}

    /// Adds a file; nil is ignored.
    package func add(_ file: RegularFile?, as use: FileUse) {
        if let file { add(.file(file), use) }
    }

    /// - Parameter path: a file or a folder; a folder includes its contents. The path need not exist.
    package func add(path: String, as use: FileUse) { add(.path(path), use) }

    /// Adds paths that are computed only when an output is checked, so that adding them is cheap.
    package func add(as use: FileUse, _ paths: @escaping @Sendable () -> [String]) {
        state.update { $0.lists.append((use, paths)) }
    }

    private func add(_ entry: Entry, _ use: FileUse) {
        state.update { state in
            guard state.entries.updateValue(use, forKey: entry) != use else { return }
            state.others = []
        }
    }

    /// Returns the purpose for which this program reads a file; nil if it does not read the file. Files are compared by
    /// device and inode, not by name. May block on disk access.
    package func use(of file: RegularFile) -> FileUse? {
        let now = state.read { $0 }
        if now.others.contains(file) { return nil }
        for (entry, use) in now.entries {
            switch entry {
            case .file(let other): if other == file { return use }
            case .path(let path): if Self.holds(path, file) { return use }
            }
        }
        for list in now.lists where list.paths().contains(where: { Self.holds($0, file) }) { return list.use }
        state.update { state in
            if state.entries.count == now.entries.count { state.others.insert(file) }
        }
        return nil
    }

    /// Returns the purpose for which this program reads the file at a path; nil if it does not read the file or the
    /// path does not exist.
    package func use(ofPath path: String) -> FileUse? { RegularFile(path: path).flatMap(use(of:)) }

    /// - Parameter depth: the maximum folder depth to search. Links to other folders are skipped, because they may
    ///   point anywhere.
    private static func holds(_ path: String, _ file: RegularFile, depth: Int = 8) -> Bool {
        if let found = RegularFile(path: path) { return found == file }
        guard depth > 0 else { return false }
        return FolderListing.names(in: path).contains { name in
            let path = path.child(name)
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, isFolder(path) { return false }
            return holds(path, file, depth: depth - 1)
        }
    }
}

extension FileUse {
    /// The file's purpose as a phrase: "the lexicon that this command reads".
    package var words: String {
        switch self {
        case .text: "the text that this command reads"
        case .sound: "an audio file that this command plays"
        case .clip: "a clip that this command plays"
        case .lexicon: "the lexicon that this command reads"
        case .configuration: "the configuration that this command reads"
        case .registry: "a voice registry that this command reads"
        case .languageTable: "a language table that this command reads"
        case .voice: "a voice file"
        case .engine: "an engine"
        case .program: "one of synthhost's programs"
        }
    }
}
