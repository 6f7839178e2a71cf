import ModelStore

extension DownloadNotice {
    /// Words to follow the label of the download.
    var words: String {
        switch self {
        case .restarting: "restarting"
        case .retrying(let failure): "\(failure.words), trying again"
        case .anotherSource: "trying another source"
        case .leftOut(let file): "going on without \(file), which cannot be had now"
        }
    }
}
