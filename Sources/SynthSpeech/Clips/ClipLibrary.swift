import Glibc
package import SynthAudio
import SynthCatalogue
package import SynthSystem

/// Maps clip names to files, which may be clips in a folder, clips in the configuration, or paths that the scope
/// allows.
package struct ClipLibrary: Sendable {
    private let configured: [String: String]
    private let base: String
    private var folder: ClipFolder?
    private var scope: ClipScope
    private var inUse: FilesInUse?
    /// Decodes formats that libsndfile does not support.
    private var media: MediaProgram?

    /// - Parameters:
    ///   - configured: the paths of the clips, keyed by name.
    ///   - base: the folder against which relative paths are resolved.
    package init(configured: [String: String] = [:], base: String = "", scope: ClipScope = .names) {
        self.configured = configured
        self.base = base
        self.scope = scope
    }

    /// Returns a copy with the given scope.
    package func with(_ scope: ClipScope) -> ClipLibrary {
        var clips = self
        clips.scope = scope
        return clips
    }

    /// Returns a copy that uses a program to decode files that libsndfile cannot read.
    package func decoded(by media: MediaProgram?) -> ClipLibrary {
        var clips = self
        clips.media = media
        return clips
    }

    /// Returns a copy that records each resolved file in `inUse`.
    package func noted(in inUse: FilesInUse) -> ClipLibrary {
        var clips = self
        clips.inUse = inUse
        return clips
    }

    /// Returns a copy that also resolves the clips in a folder. They take precedence over the configured clips.
    ///
    /// - Throws: `fileNotReadable` if the folder cannot be read.
    package func adding(folder path: String) throws(SpeechError) -> ClipLibrary {
        var clips = self
        clips.folder = try ClipFolder(path: path)
        return clips
    }

    /// The names of all clips, sorted.
    package var names: [String] { Set(configured.keys).union(folder?.names ?? []).sorted() }

    /// Resolves a name to a file. Searches the folder first and then the configuration; if neither contains the name,
    /// it is treated as a path.
    ///
    /// Blocks while it accesses the disk. The file of a configured clip may be missing.
    package func file(named name: String) throws(SpeechError) -> ClipFile {
        let file = try found(name).decoded(by: media)
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
            // Any other name is probably a misspelled clip name. Invalid paths are reported when the file is opened.
            if name.contains("/") || ClipEnding.isOne(name) || RegularFile(path: name) != nil {
                return ClipFile(path: name)
            }
        }
        throw .clipUnknown(name, near: Suggestions.nearest(to: name, among: names))
    }

    /// Converts a path from the configuration to an absolute path.
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

/// The files that a script may refer to by path.
package enum ClipScope: Equatable, Sendable {
    /// No files. Use this for untrusted text, such as text from a service's client.
    case names
    /// Files in this folder and its subfolders. For a local document, pass the document's folder.
    case below(String)
    /// Any file. Relative paths are resolved against the working directory. Use this for names from the user or the
    /// program.
    case anywhere
}

/// The audio files in a folder. A clip's name is its file name without the extension.
struct ClipFolder: Sendable {
    private let path: String
    /// The sorted file names, keyed by clip name.
    private let files: [String: [String]]

    /// - Throws: `fileNotReadable` if the folder cannot be read.
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

    /// Finds a clip by its file name, with or without the extension. Returns nil if the folder does not contain it.
    ///
    /// - Throws: `clipAmbiguous` if the name matches several files.
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

/// A document's folder. Paths in the document cannot lead outside it.
struct DocumentFolder {
    let path: String

    /// Resolves a path in the document to a file. Returns nil if the file does not exist.
    ///
    /// The path and the folder's path are canonicalized first, so neither `..` nor a symbolic link can lead out of the
    /// folder. The file is later opened without following links, so a link created in the meantime has no effect.
    ///
    /// - Throws: `clipNotAllowed` if the path is absolute, is a URL or leads outside the folder.
    func file(_ name: String) throws(SpeechError) -> ClipFile? {
        guard !name.hasPrefix("/"), !Self.isAddress(name) else { throw .clipNotRelative(name) }
        // C functions would truncate the name at a NUL byte.
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

    /// Whether the name starts with a URL scheme, such as "https:" or "data:".
    private static func isAddress(_ name: String) -> Bool {
        guard let colon = name.firstIndex(of: ":") else { return false }
        let scheme = name[..<colon].lowercased()
        return name[colon...].hasPrefix("://") || scheme == "data" || scheme == "file"
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        // Replacing invalid UTF-8 could produce the path of a different file.
        return String(validatingCString: resolved)
    }
}

/// Errors for clip names that cannot be resolved.
extension SpeechError {
    /// No clip has this name; `near` lists similar names.
    package static func clipUnknown(_ name: String, near: [String]) -> SpeechError {
        SpeechError(
            .clipUnknown, "No clip is called \"\(name)\"." + Wording.suggestion(near),
            Facts(name: name, candidates: near), remedy: .nameClip)
    }

    /// The name matches several files in the clip folder.
    package static func clipAmbiguous(_ name: String, files: [String]) -> SpeechError {
        SpeechError(
            .clipAmbiguous, "The name \"\(name)\" matches several clips: \(Wording.few(files)).",
            Facts(name: name, candidates: files), remedy: .nameEnding)
    }

    /// The clip folder cannot be read.
    package static func clipFolderNotReadable(_ path: String, _ reason: Errno) -> SpeechError {
        SpeechError(
            .fileNotReadable, "Cannot read the clips folder \"\(path)\": \(reason).",
            Facts(path: path, reason: "\(reason)", errno: reason.code), remedy: .chooseClipFolder, cause: reason)
    }

    /// A document contains a path, but paths are not allowed.
    package static func clipPathNotAllowed(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed,
            "The text refers to the file \"\(name)\", but only text from local files can refer to files.",
            Facts(name: name),
            remedy: .nameClip)
    }

    /// A document contains an absolute path or a URL.
    package static func clipNotRelative(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed,
            "The text refers to \"\(name)\", but it can refer only to clips and to files inside its own folder.",
            Facts(name: name), remedy: .nameClip)
    }

    /// A path in a document leads outside the document's folder.
    package static func clipOutside(_ name: String, folder: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "\"\(name)\" is outside the text's folder, \(folder).",
            Facts(path: folder, name: name), remedy: .nameClip)
    }

    /// A document uses more clip channels than can be played in parallel.
    package static func tooManyClipChannels(_ name: String, limit: Int) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text plays \"\(name)\" on a new channel, but the limit is \(limit) channels.",
            Facts(name: name, limit: Int64(limit)), remedy: .useOneChannel)
    }
}
