import Glibc
import SynthAudio

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
