import Glibc
import SynthAudio
import System

/// The sound files of a folder, each a clip that has its name without the ending.
struct ClipFolder: Sendable {
    private let path: String
    /// The names of files by their names without the ending, in order.
    private let files: [String: [String]]

    /// - Throws: `folder` if it cannot be read.
    init(path: String) throws(ClipNameError) {
        self.path = path
        do {
            var files: [String: [String]] = [:]
            for name in try FolderListing.read(path).sorted() {
                if !name.hasPrefix("."), let stem = ClipEnding.stem(of: name) { files[stem, default: []].append(name) }
            }
            self.files = files
        } catch {
            throw .folder(path, error)
        }
    }

    var names: [String] { files.keys.sorted() }

    /// The file of a name, with or without its ending; nil = there is none.
    ///
    /// - Throws: `several`.
    func file(named name: String) throws(ClipNameError) -> ClipFile? {
        if let found = files[name] {
            guard found.count == 1 else { throw .several(name, files: found.map(place(of:))) }
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
    /// - Throws: `notRelative`, `outside`.
    func file(_ name: String) throws(ClipNameError) -> ClipFile? {
        guard !name.hasPrefix("/"), !Self.isAddress(name) else { throw .notRelative(name) }
        // C would see the name end there.
        guard !name.isEmpty, !name.utf8.contains(0), name.utf8.count < Int(PATH_MAX),
            let root = Self.resolved(path.isEmpty ? "." : path)
        else { return nil }
        guard let file = Self.resolved("\(root)/\(name)") else { return nil }
        let prefix = root == "/" ? root : root + "/"
        guard file.utf8.starts(with: prefix.utf8) else { throw .outside(name, folder: root) }
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
