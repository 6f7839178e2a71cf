/// A file that was not downloaded.
package struct DownloadFailure: Sendable, Hashable {
    /// Its name.
    package let file: String
    /// The voice or model that it belongs to, as the user knows it.
    package let voice: String
    /// The folder that it would be in.
    package let folder: String
    /// The user's own mirror, if one was asked.
    package let mirror: String?
    package let cause: FetchFailure

    package init(file: String, voice: String, folder: String, mirror: String?, _ cause: FetchFailure) {
        self.file = file
        self.voice = voice
        self.folder = folder
        self.mirror = mirror
        self.cause = cause
    }
}
