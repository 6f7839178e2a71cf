package import SynthSystem

/// Errors for clip names that cannot be resolved.
extension SpeechError {
    /// No clip has this name; `near` lists similar names.
    package static func clipUnknown(_ name: String, near: [String]) -> SpeechError {
        SpeechError(
            .clipUnknown, "There is no clip \"\(name)\"." + Wording.suggestion(near),
            Facts(name: name, candidates: near), remedy: .nameClip)
    }

    /// The name matches several files of the clip folder.
    package static func clipAmbiguous(_ name: String, files: [String]) -> SpeechError {
        SpeechError(
            .clipAmbiguous, "The clip \"\(name)\" matches several clips: \(Wording.few(files)).",
            Facts(name: name, candidates: files), remedy: .nameEnding)
    }

    /// The clip folder cannot be read.
    package static func clipFolderNotReadable(_ path: String, _ reason: Errno) -> SpeechError {
        SpeechError(
            .fileNotReadable, "The folder of clips \"\(path)\" cannot be read: \(reason).",
            Facts(path: path, reason: "\(reason)", errno: reason.code), remedy: .chooseClipFolder, cause: reason)
    }

    /// A document contains a path, but no folder is allowed for it.
    package static func clipPathNotAllowed(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text names the file \"\(name)\", and only a local file may do so.", Facts(name: name),
            remedy: .nameClip)
    }

    /// A document contains an absolute path or a URL.
    package static func clipNotRelative(_ name: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text names \"\(name)\", and it may name only clips and files below its own folder.",
            Facts(name: name), remedy: .nameClip)
    }

    /// A path in a document leads out of the document's folder.
    package static func clipOutside(_ name: String, folder: String) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "\"\(name)\" leads out of the folder of the text, \(folder).",
            Facts(path: folder, name: name), remedy: .nameClip)
    }

    /// A document uses more clip channels than can play in parallel.
    package static func tooManyClipChannels(_ name: String, limit: Int) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text lets \"\(name)\" sound on one channel more than the \(limit) that it may have.",
            Facts(name: name, limit: Int64(limit)), remedy: .useOneChannel)
    }
}
