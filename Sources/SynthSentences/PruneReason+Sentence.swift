package import SynthModelStore

extension PruneCandidate.Reason {
    /// A clause about the file or folder: "no registry knows it".
    package var words: String {
        switch self {
        case .notAdded: "it was not added after all"
        case .brokenLink: "it is a link that leads nowhere"
        case .link: "it is a link to elsewhere"
        case .notAVoiceFolder: "it is no folder of a voice"
        case .notOurs: "synthhost did not make it"
        case .unusedModel: "no installed voice needs it"
        case .inNoRegistry: "no registry knows it"
        case .unfinishedDownload: "its download did not end"
        case .olderRevision: "there is a newer revision"
        case .unfinishedPreparation: "the process that was preparing it has ended"
        case .engineNotInstalled: "its engine is not installed"
        case .earlierVersion: "only an earlier version of synthhost uses it"
        case .engineFileGone: "the file of its engine is gone"
        }
    }
}

extension DownloadNotice {
    /// Words to follow the label of the download.
    package var words: String {
        switch self {
        case .restarting: "restarting"
        case .retrying(let failure): "\(failure.words), trying again"
        case .anotherSource: "trying another source"
        case .leftOut(let file): "going on without \(file), which cannot be had now"
        }
    }
}
