import SynthAudio

/// A format of a file that says when each word of a speech sounds. The raw value is its ending, without the dot.
package enum TimingsFormat: String, CaseIterable, Hashable, Sendable {
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
    case json

    /// - Returns: nil if the ending of the name means none of them.
    package init?(path: String) {
        guard let ending = SoundFileFormat.ending(of: path) else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}
