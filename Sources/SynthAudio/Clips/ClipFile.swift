package import SynthSystem

/// The location of a recording. The file is opened only when it is read.
package struct ClipFile: Sendable, Equatable {
    package let path: String
    /// The folder, given by a path without links, that must contain the file; nil if it may be anywhere.
    package let root: String?

    /// A file named by a user who may read everything that this process may read.
    package init(path: String) {
        self.path = path
        root = nil
    }

    /// A file below a folder. Both paths are resolved: opening fails if any part of the file's path has become a link
    /// by then.
    package init(path: String, below root: String) {
        self.path = path
        self.root = root
    }

    /// Opens the file if it is a regular file. Nothing else is opened, and a pipe never blocks.
    package func open() throws(Errno) -> Descriptor {
        guard let root else { return try Descriptor.openRegular(path).file }
        let folder: Descriptor
        let name: String
        do {
            (folder, name) = try FolderTree(root: root).parent(of: path)
        } catch {
            throw error.reason
        }
        return try Descriptor.openRegular(name, in: folder).file
    }
}

/// The extensions of audio files that libsndfile reads.
package enum ClipEnding {
    private static let known: Set<String> = [
        "aif", "aifc", "aiff", "au", "avr", "caf", "flac", "htk", "iff", "mat", "mp3", "mpc", "oga", "ogg", "opus",
        "paf",
        "pvf", "rf64", "sds", "sf", "snd", "svx", "voc", "w64", "wav", "wave", "wve", "xi",
    ]

    /// The name of a file without its extension; nil if the extension is unknown.
    package static func stem(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            known.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return String(name[..<dot])
    }

    /// Whether a path has the extension of an audio file.
    package static func isOne(_ path: String) -> Bool {
        path.split(separator: "/").last.flatMap { stem(of: String($0)) } != nil
    }
}
