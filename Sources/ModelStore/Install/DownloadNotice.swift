/// What happened to a download that goes on.
package enum DownloadNotice: Sendable, Hashable {
    /// What arrived had to be thrown away.
    case restarting
    case retrying(FetchFailure)
    /// The files come from another source than the first.
    case anotherSource
}
