/// Where a voice stands, in the one vocabulary that every screen uses.
package enum ModelState: Sendable, Hashable {
    /// Something that it needs is not there. `because` is set when it once was, or is half there, in words for the user.
    case notDownloaded(because: String?)
    /// Another process downloads it; `process` is its id where it could be told.
    case waiting(process: Int32?)
    case downloading(DownloadProgress)
    case verifying
    case unpacking
    case ready
    case failed(StoreError)

    /// Whether it is being worked on.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking: true
        case .notDownloaded, .ready, .failed: false
        }
    }
}
