import VoiceCatalogue

/// A voice with what those need to know who download and remove voices.
package struct LibraryVoice: Hashable, Sendable {
    package let voice: SpeechVoice
    /// Its place among the voices that newcomers are offered, from 1; nil = it is none of them.
    package let starter: Int?
    /// Bytes of its files, its model's included: those on the disk if it is complete, else those of its download.
    package let size: Int64
    /// Whether files of its own are on the disk, complete or not.
    package let isRemovable: Bool

    package init(_ voice: SpeechVoice, starter: Int? = nil, size: Int64, isRemovable: Bool) {
        self.voice = voice
        self.starter = starter
        self.size = size
        self.isRemovable = isRemovable
    }

    /// "kokoro/af_heart": no other voice has it.
    package var key: String { voice.choice.voice.key }

    /// Bytes to download; 0 = none, or it cannot be downloaded.
    package var missing: Int64 { if case .notDownloaded(let bytes) = voice.state { bytes } else { 0 } }
}
