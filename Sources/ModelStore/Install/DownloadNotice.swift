/// What happened to a download that continues.
package enum DownloadNotice: Sendable, Hashable {
    /// What had arrived was discarded.
    case restarting
    case retrying(FetchFailure)
    /// The files now come from the alternative source.
    case anotherSource
    /// An optional file could not be had. The voice is complete without it.
    case leftOut(file: String)
}
