import ModelStore

extension PruneCandidate.Reason {
    /// A clause about the file or folder: "no registry knows it".
    var words: String {
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
        }
    }
}
