/// What `synthhost-fetch` says on stdout: one line of JSON each.
package enum FetchEvent: Sendable, Hashable, Codable {
    /// A server answers with the file; `tag` is its name for this version, fit to be asked for again. `url` is one of
    /// the job's.
    case answered(tag: String?, url: String)
    /// So many bytes are in the part file, the resumed ones included.
    case progress(bytes: Int64)
    /// What is in the part file cannot be gone on with; it is empty now.
    case restarting(reason: String)
    /// Nothing arrives; asking again after `seconds`.
    case retrying(reason: String, seconds: Double)
    /// The part file has its size. The last event.
    case done
    /// The last event.
    case failed(FetchFailure)
}
