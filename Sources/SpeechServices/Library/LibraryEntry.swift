import SynthHost

/// A voice of a library, with its download.
struct LibraryEntry: Equatable, Sendable {
    let voice: LibraryVoice
    /// nil = there is none, or the voice is here.
    let download: DownloadStatus?

    init(_ voice: LibraryVoice, _ download: DownloadStatus?) {
        self.voice = voice
        let isOver = download.map { !$0.isRunning } ?? false
        self.download = isOver && voice.voice.state == .ready ? nil : download
    }
}
