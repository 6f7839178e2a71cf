/// What `synthhost-fetch` is asked to do, as it reads it from stdin: one line of JSON.
package enum FetchJob: Sendable, Hashable, Codable {
    case download(DownloadJob)
    case unpack(UnpackJob)
    case digest(DigestJob)
}
