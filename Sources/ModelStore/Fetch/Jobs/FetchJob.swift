/// What `synthhost-fetch` must do. It reads this from stdin as one line of JSON.
package enum FetchJob: Sendable, Hashable, Codable {
    case download(DownloadJob)
    case unpack(UnpackJob)
    case digest(DigestJob)
}
