package import SynthSystem

/// Why a name means no clip.
package enum ClipNameProblem: ErrorCause, Equatable {
    /// There is no clip of that name; names near it.
    case unknown(String, near: [String])
    /// Several files of the folder of clips have the name.
    case several(String, files: [String])
    /// The folder of clips cannot be read.
    case folder(String, Errno)
    /// A document names a path, and nothing says which folder it may mean.
    case pathNotAllowed(String)
    /// A document names a path from the root, or an address.
    case notRelative(String)
    /// A document names more channels for clips than may sound beside each other.
    case tooManyChannels(String, limit: Int)
    /// The path that a document names leads out of its folder.
    case outside(String, folder: String)

    package var code: SpeechError.Code {
        switch self {
        case .unknown: .clipUnknown
        case .several: .clipAmbiguous
        case .folder: .fileNotReadable
        case .pathNotAllowed, .notRelative, .tooManyChannels, .outside: .clipNotAllowed
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .unknown(let name, let near): .init(name: name, candidates: near)
        case .several(let name, let files): .init(name: name, candidates: files)
        case .folder(let path, let error): .init(path: path, reason: "\(error)", errno: error.code)
        case .pathNotAllowed(let name), .notRelative(let name): .init(name: name)
        case .tooManyChannels(let name, let limit): .init(name: name, limit: Int64(limit))
        case .outside(let name, let folder): .init(path: folder, name: name)
        }
    }

    package var message: String {
        switch self {
        case .unknown(let name, let near): "There is no clip \"\(name)\"." + Wording.suggestion(near)
        case .several(let name, let files):
            "The clip \"\(name)\" may be any of: \(Wording.few(files))."
        case .folder(let path, let reason): "The folder of clips \"\(path)\" cannot be read: \(reason)."
        case .pathNotAllowed(let name): "The text names the file \"\(name)\", and only a local file may do so."
        case .notRelative(let name):
            "The text names \"\(name)\", and it may name only clips and files below its own folder."
        case .tooManyChannels(let name, let limit):
            "The text lets \"\(name)\" sound on one channel more than the \(limit) that it may have."
        case .outside(let name, let folder): "\"\(name)\" leads out of the folder of the text, \(folder)."
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .unknown, .pathNotAllowed, .notRelative, .outside: .nameClip
        case .tooManyChannels: .useOneChannel
        case .several: .nameEnding
        case .folder: .chooseClipFolder
        }
    }
}
