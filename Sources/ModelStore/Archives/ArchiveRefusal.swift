/// Why an archive was not unpacked.
enum ArchiveRefusal: Error, Sendable {
    case unsafe(String)
    case damaged(String)
    case file(FileFailure)
    case cancelled

    var reason: String {
        switch self {
        case .unsafe(let words), .damaged(let words): words
        case .file(let failure): failure.reason
        case .cancelled: "stopped"
        }
    }
}
