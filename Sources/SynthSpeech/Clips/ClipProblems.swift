package import SynthSystem

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
            "The text refers to the file \"\(name)\", but only texts from local files can refer to files.",
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

    /// A document uses more clip channels than can play in parallel.
    package static func tooManyClipChannels(_ name: String, limit: Int) -> SpeechError {
        SpeechError(
            .clipNotAllowed, "The text plays \"\(name)\" on a new channel, but the limit is \(limit) channels.",
            Facts(name: name, limit: Int64(limit)), remedy: .useOneChannel)
    }
}
