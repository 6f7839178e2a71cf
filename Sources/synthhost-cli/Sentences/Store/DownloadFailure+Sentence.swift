import ModelStore

extension DownloadFailure {
    /// One sentence: what happened.
    var message: String { "\(file) was not downloaded: \(cause.words)." }

    /// What to type next.
    ///
    /// - Parameter pull: the command that resumes the download.
    func remedy(pull: String) -> String {
        let pull = "Run: \(pull)"
        return switch cause.kind {
        case .network: "Wait a moment or look at the connection, then go on where it stopped. \(pull)"
        case .refused, .archive: Self.remedy(ofRefusal: mirror)
        case .offline: "Go online (unset SYNTHHOST_OFFLINE, drop --offline). \(pull)"
        case .mirror: "Set SYNTHHOST_MIRROR to an https address, or unset it."
        case .diskFull: "Free some space (synthhost models prune), then go on. \(pull)"
        case .file: "Look at the permissions of \(folder). \(pull)"
        case .fileLimit: "Lift the limit (ulimit -f unlimited), then go on. \(pull)"
        case .cancelled: "Run the same command to go on."
        case .crash: "Try again. \(pull) If it stays, please report this message with what synthhost doctor says."
        case .program: "Install synthhost again; its program synthhost-fetch is damaged."
        }
    }

    /// The mirror comes first, because the user set it and it may be wrong.
    static func remedy(ofRefusal mirror: String?) -> String {
        mirror.map { "Look at the mirror \($0), or unset SYNTHHOST_MIRROR to do without it." }
            ?? "Update synthhost, or choose another voice: synthhost voices --all"
    }
}
