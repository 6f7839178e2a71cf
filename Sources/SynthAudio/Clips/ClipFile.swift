package import SynthSystem

/// The place of a recorded sound. Nothing is opened before it is read.
package struct ClipFile: Sendable, Equatable {
    package let path: String
    /// The folder, without a link in its path, that the file must be in or below; nil = it may be anywhere.
    package let root: String?

    /// A file that somebody named who may read what this process may read.
    package init(path: String) {
        self.path = path
        root = nil
    }

    /// A file below a folder. Both paths are resolved: if any part of the file's is a link when it is opened, that fails.
    package init(path: String, below root: String) {
        self.path = path
        self.root = root
    }

    /// Opens it if it is a regular file; nothing else is opened, and a pipe is not waited for.
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

/// The endings of names of sound files that libsndfile reads.
package enum ClipEnding {
    private static let known: Set<String> = [
        "aif", "aifc", "aiff", "au", "avr", "caf", "flac", "htk", "iff", "mat", "mp3", "mpc", "oga", "ogg", "opus",
        "paf",
        "pvf", "rf64", "sds", "sf", "snd", "svx", "voc", "w64", "wav", "wave", "wve", "xi",
    ]

    /// The name of a file without its ending; nil if the ending is none of a sound file.
    package static func stem(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            known.contains(name[name.index(after: dot)...].lowercased())
        else { return nil }
        return String(name[..<dot])
    }

    /// Whether a path has the ending of a sound file.
    package static func isOne(_ path: String) -> Bool {
        path.split(separator: "/").last.flatMap { stem(of: String($0)) } != nil
    }
}
