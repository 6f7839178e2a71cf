import Glibc
package import SynthAudio
package import System
import VoiceCatalogue

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
    /// - Throws: `folder` if it cannot be read.
    package func adding(folder path: String) throws(ClipNameError) -> ClipLibrary {
        var clips = ClipLibrary(configured: configured, base: base, folder: try ClipFolder(path: path), scope: scope)
        clips.inUse = inUse
        return clips
    }

    /// All names of clips, in order.
    package var names: [String] { Set(configured.keys).union(folder?.names ?? []).sorted() }

    /// The file that a name means: one of the folder of clips, else a clip of the configuration, else a path.
    ///
    /// Blocks as the disk does. The file is there as far as a path names it; a clip of the configuration may be missing.
    package func file(named name: String) throws(ClipNameError) -> ClipFile {
        let file = try found(name)
        inUse?.add(path: file.path, as: .clip)
        return file
    }

    private func found(_ name: String) throws(ClipNameError) -> ClipFile {
        if let file = try folder?.file(named: name) { return file }
        if let path = configured[name] { return ClipFile(path: Self.place(of: path, from: base)) }
        switch scope {
        case .names:
            if name.contains("/") || ClipEnding.isOne(name) { throw .pathNotAllowed(name) }
        case .below(let folder):
            if let file = try DocumentFolder(path: folder).file(name) { return file }
        case .anywhere:
            // One that is none must be a mistyped name; of a path its opening says what is wrong.
            if name.contains("/") || ClipEnding.isOne(name) || RegularFile(path: name) != nil {
                return ClipFile(path: name)
            }
        }
        throw .unknown(name, near: Suggestions.nearest(to: name, among: names))
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
