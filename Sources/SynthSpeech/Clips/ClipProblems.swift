package import SynthSystem

/// Why a name means no clip.
extension SpeechError {
    /// There is no clip of that name; names near it.
    package static func clipUnknown(_ name: String, near: [String]) -> SpeechError {
        SpeechError(
            .clipUnknown, "There is no clip \"\(name)\"." + Wording.suggestion(near),
            Facts(name: name, candidates: near), remedy: .nameClip)
    }

    /// Several files of the folder of clips have the name.
    package static func clipAmbiguous(_ name: String, files: [String]) -> SpeechError {
        SpeechError(
            .clipAmbiguous, "The clip \"\(name)\" may be any of: \(Wording.few(files)).",
            Facts(name: name, candidates: files), remedy: .nameEnding)
    }

    /// The folder of clips cannot be read.
    package static func clipFolderNotReadable(_ path: String, _ reason: Errno) -> SpeechError {
        SpeechError(
            .fileNotReadable, "The folder of clips \"\(path)\" cannot be read: \(reason).",
            Facts(path: path, reason: "\(reason)", errno: reason.code), remedy: .chooseClipFolder, cause: reason)
    }

    /// A document names a path, and nothing says which folder it may mean.
    package static func clipPathNotAllowed(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text names the file \"\(name)\", and only a local file may do so.", Facts(name: name),
            remedy: .nameClip)
    }

    /// A document names a path from the root, or an address.
    package static func clipNotRelative(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text names \"\(name)\", and it may name only clips and files below its own folder.",
            Facts(name: name), remedy: .nameClip)
    }

    /// The path that a document names leads out of its folder.
    package static func clipOutside(_ name: String, folder: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "\"\(name)\" leads out of the folder of the text, \(folder).",
            Facts(path: folder, name: name), remedy: .nameClip)
    }

    /// A document names more channels for clips than may sound beside each other.
    package static func tooManyClipChannels(_ name: String, limit: Int) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text lets \"\(name)\" sound on one channel more than the \(limit) that it may have.",
            Facts(name: name, limit: Int64(limit)), remedy: .useOneChannel)
    }
}
