/// How far the download of a voice is, over all its files.
package struct DownloadProgress: Sendable, Hashable {
    /// Never smaller than it was before.
    package let bytes: Int64
    package let total: Int64
    /// In bytes per second; `nil` until it can be told.
    package let speed: Double?
    package let timeLeft: Duration?
    /// Set while nothing arrives or what arrived had to be thrown away.
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
