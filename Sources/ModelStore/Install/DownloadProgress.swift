/// The progress of the download of a voice, over all its files.
package struct DownloadProgress: Sendable, Hashable {
    /// Never decreases.
    package let bytes: Int64
    package let total: Int64
    /// In bytes per second; `nil` until it is known.
    package let speed: Double?
    package let timeLeft: Duration?
    /// Set while nothing arrives, or if what had arrived was discarded.
    package let notice: DownloadNotice?

    package var fraction: Double { total > 0 ? Double(bytes) / Double(total) : 0 }

    package init(
        bytes: Int64, total: Int64, speed: Double? = nil, timeLeft: Duration? = nil,
        notice: DownloadNotice? = nil
    ) {
        self.bytes = bytes
        self.total = total
        self.speed = speed
        self.timeLeft = timeLeft
        self.notice = notice
    }
}
