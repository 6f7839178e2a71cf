import Glibc
package import SynthAudio
import SynthCatalogue
package import SynthSystem

/// What names of clips mean: the files of a folder, the clips of the configuration, and paths, as far as they are allowed.
package struct ClipLibrary: Sendable {
    private let configured: [String: String]
    private let base: String
    private let folder: ClipFolder?
    private let scope: ClipScope
    /// Gets the files that were found.
    private var inUse: FilesInUse?

    /// Clips that have no names; paths mean what `scope` allows.
    package init(scope: ClipScope = .names) {
        self.init(configured: [:], base: "", folder: nil, scope: scope)
    }

    /// - Parameters:
    ///   - configured: paths by the names of clips.
    ///   - base: the folder that paths count from.
    package init(configured: [String: String], base: String, scope: ClipScope) {
        self.init(configured: configured, base: base, folder: nil, scope: scope)
    }

    private init(configured: [String: String], base: String, folder: ClipFolder?, scope: ClipScope) {
        self.configured = configured
        self.base = base
        self.folder = folder
        self.scope = scope
    }

    /// The same clips for names from somewhere else.
    package func with(_ scope: ClipScope) -> ClipLibrary {
        var clips = ClipLibrary(configured: configured, base: base, folder: folder, scope: scope)
        clips.inUse = inUse
        return clips
    }

    /// The same clips, of which each that is found is noted as a file in use.
    package func noted(in inUse: FilesInUse) -> ClipLibrary {
        var clips = self
        clips.inUse = inUse
        return clips
    }

    /// The same clips, and before them those of a folder.
    ///
    /// - Throws: `clip` with `folder` if it cannot be read.
    package func adding(folder path: String) throws(SpeechError) -> ClipLibrary {
        var clips = ClipLibrary(configured: configured, base: base, folder: try ClipFolder(path: path), scope: scope)
        clips.inUse = inUse
        return clips
    }

    /// All names of clips, in order.
    package var names: [String] { Set(configured.keys).union(folder?.names ?? []).sorted() }

    /// The file that a name means: one of the folder of clips, else a clip of the configuration, else a path.
    ///
    /// Blocks as the disk does. The file is there as far as a path names it; a clip of the configuration may be missing.
    package func file(named name: String) throws(SpeechError) -> ClipFile {
        let file = try found(name)
        inUse?.add(path: file.path, as: .clip)
        return file
    }

    private func found(_ name: String) throws(SpeechError) -> ClipFile {
        if let file = try folder?.file(named: name) { return file }
        if let path = configured[name] { return ClipFile(path: Self.place(of: path, from: base)) }
        switch scope {
        case .names:
            if name.contains("/") || ClipEnding.isOne(name) { throw .clipPathNotAllowed(name) }
        case .below(let folder):
            if let file = try DocumentFolder(path: folder).file(name) { return file }
        case .anywhere:
            // One that is none must be a mistyped name; of a path its opening says what is wrong.
            if name.contains("/") || ClipEnding.isOne(name) || RegularFile(path: name) != nil {
                return ClipFile(path: name)
            }
        }
        throw .clipUnknown(name, near: Suggestions.nearest(to: name, among: names))
    }

    /// A path of the configuration, made absolute.
    package static func place(of path: String, from folder: String) -> String {
        if path.hasPrefix("/") { return path }
        if path.hasPrefix("~/"), let home = getenv("HOME").flatMap({ String(validatingCString: $0) }),
            home.hasPrefix("/")
        {
            return home + path.dropFirst()
        }
        return "\(folder)/\(path)"
    }
}

/// Which files a name may mean that is no name of a clip.
package enum ClipScope: Equatable, Sendable {
    /// None: for text of unknown origin, such as that of a service.
    case names
    /// Those in this folder and below: for a document that is a local file, with its own folder.
    case below(String)
    /// Any, absolute or from the working directory: for names that the user or the program gives.
    case anywhere
}

/// The sound files of a folder, each a clip that has its name without the ending.
struct ClipFolder: Sendable {
    private let path: String
    /// The names of files by their names without the ending, in order.
    private let files: [String: [String]]

    /// - Throws: `clip` with `folder` if it cannot be read.
    init(path: String) throws(SpeechError) {
        self.path = path
        do {
            var files: [String: [String]] = [:]
            for name in try FolderListing.read(path).sorted() {
                if !name.hasPrefix("."), let stem = ClipEnding.stem(of: name) { files[stem, default: []].append(name) }
            }
            self.files = files
        } catch {
            throw .clipFolderNotReadable(path, error)
        }
    }

    var names: [String] { files.keys.sorted() }

    /// The file of a name, with or without its ending; nil = there is none.
    ///
    /// - Throws: `clip` with `several`.
    func file(named name: String) throws(SpeechError) -> ClipFile? {
        if let found = files[name] {
            guard found.count == 1 else {
                throw .clipAmbiguous(name, files: found.map(place(of:)))
            }
            return ClipFile(path: place(of: found[0]))
        }
        if let stem = ClipEnding.stem(of: name), files[stem]?.contains(name) == true {
            return ClipFile(path: place(of: name))
        }
        return nil
    }

    private func place(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}

/// The folder of a document, which the paths in it may not leave.
struct DocumentFolder {
    let path: String

    /// The file that a path in the document means; nil = there is none.
    ///
    /// Both paths are resolved first, so that neither `..` nor a link leads out of the folder; the file is opened without
    /// following a link, so that none can be put there meanwhile.
    ///
    /// - Throws: `clip` with `notRelative`, `outside`.
    func file(_ name: String) throws(SpeechError) -> ClipFile? {
        guard !name.hasPrefix("/"), !Self.isAddress(name) else { throw .clipNotRelative(name) }
        // C would see the name end there.
        guard !name.isEmpty, !name.utf8.contains(0), name.utf8.count < Int(PATH_MAX),
            let root = Self.resolved(path.isEmpty ? "." : path)
        else { return nil }
        guard let file = Self.resolved("\(root)/\(name)") else { return nil }
        let prefix = root == "/" ? root : root + "/"
        guard file.utf8.starts(with: prefix.utf8) else {
            throw .clipOutside(name, folder: root)
        }
        return ClipFile(path: file, below: root)
    }

    /// Whether it begins like the address of something elsewhere: "https://", "data:".
    private static func isAddress(_ name: String) -> Bool {
        guard let colon = name.firstIndex(of: ":") else { return false }
        let scheme = name[..<colon].lowercased()
        return name[colon...].hasPrefix("://") || scheme == "data" || scheme == "file"
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        // A name in another encoding would be repaired to the name of another file.
        return String(validatingCString: resolved)
    }
}
