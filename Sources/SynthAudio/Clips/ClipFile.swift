package import SynthSystem

/// The location of a recording. The file is not opened until it is read.
package struct ClipFile: Sendable, Equatable {
    package let path: String
    /// The folder that must contain the file, as a path without symbolic links, or nil to allow any location.
    package let root: String?
    /// The fallback decoder for files that libsndfile cannot decode, or nil to use only libsndfile.
    package private(set) var media: MediaProgram?

    package static func == (first: ClipFile, second: ClipFile) -> Bool {
        first.path == second.path && first.root == second.root
    }

    /// Returns a copy that uses `media` as the fallback decoder for files that libsndfile cannot decode.
    package func decoded(by media: MediaProgram?) -> ClipFile {
        var file = self
        file.media = media
        return file
    }

    /// Creates a location for a file that was specified by a user with the same read access as this process.
    package init(path: String) {
        self.path = path
        root = nil
    }

    /// Creates a location inside a folder. Neither path may contain symbolic links. Opening the file fails if any
    /// component of its path has since been replaced with a link.
    package init(path: String, below root: String) {
        self.path = path
        self.root = root
    }

    /// Opens the file if it is a regular file. Never blocks on a pipe.
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

/// The extensions of audio files that libsndfile or ffmpeg can read.
package enum ClipEnding {
    private static let known: Set<String> = [
        "3gp", "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "avr", "caf", "flac", "htk", "iff", "m4a",
        "m4b",
        "mat", "mka", "mkv", "mov", "mp3", "mp4", "mpc", "oga", "ogg", "opus", "paf", "pvf", "rf64", "sds", "sf", "snd",
        "svx", "tta", "voc", "w64", "wav", "wave", "webm", "wma", "wv", "wve", "xi",
    ]

    /// Returns the file name without its extension, or nil if the extension is unknown.
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
