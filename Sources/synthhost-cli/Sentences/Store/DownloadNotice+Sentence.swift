import ModelStore

extension DownloadNotice {
    /// To be put after what is downloaded.
    var words: String {
        switch self {
        case .restarting: "restarting"
        case .retrying(let failure): "\(failure.words), trying again"
        case .anotherSource: "trying another source"
        }
    }
}
