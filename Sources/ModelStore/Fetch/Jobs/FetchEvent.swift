/// What `synthhost-fetch` says on stdout: one line of JSON each. The last is `done` or `failed`.
package enum FetchEvent: Sendable, Hashable, Codable {
    /// A server answers with the file; `tag` is its name for this version, fit to be asked for again. `url` is one of
    /// the job's.
    case answered(tag: String?, url: String)
    /// So many bytes are in the part file, the resumed ones included.
    case progress(bytes: Int64)
    /// What is in the part file cannot be gone on with; it is empty now.
    case restarting
    /// Nothing arrives; asking again after `seconds`.
    case retrying(FetchFailure, seconds: Double)
    /// Everything is there; the digests are computed now.
    case verifying
    /// One of the files that were unpacked.
    case unpacked(UnpackedFile)
    /// Of the downloaded file, or one for each file of a `DigestJob`, in their order.
    case digest(DigestResult)
    case done
    case failed(FetchFailure)
}
