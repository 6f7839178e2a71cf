/// The state of a voice in the store.
package enum ModelState: Sendable, Hashable {
    /// Something that it needs is missing. `because` says, in words for the user, what is damaged or incomplete.
    case notDownloaded(because: String?)
    /// Another process downloads it; `process` is its id, if known.
    case waiting(process: Int32?)
    case downloading(DownloadProgress)
    case verifying
    case unpacking
    case ready
    case failed(StoreError)

    /// Whether work on it is running.
    package var isBusy: Bool {
        switch self {
        case .waiting, .downloading, .verifying, .unpacking: true
        case .notDownloaded, .ready, .failed: false
        }
    }
}
