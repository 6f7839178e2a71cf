/// What `synthhost-fetch` reports on stdout, one line of JSON each. The last is `done` or `failed`.
package enum FetchEvent: Sendable, Hashable, Codable {
    /// A server answers with the file. `tag` is its entity tag, if it is strong, so that the same version can be
    /// requested again. `url` is one of the job's.
    case answered(tag: String?, url: String)
    /// The part file has this many bytes, the resumed ones included.
    case progress(bytes: Int64)
    /// The part file could not be resumed and is empty now.
    case restarting
    /// Nothing arrives; the next request follows after `seconds`.
    case retrying(FetchFailure, seconds: Double)
    /// All bytes are here; the digests are computed now.
    case verifying
    /// A file was unpacked.
    case unpacked(UnpackedFile)
    /// The digest of the downloaded file, or one for each file of a `DigestJob`, in their order.
    case digest(DigestResult)
    case done
    case failed(FetchFailure)
}
