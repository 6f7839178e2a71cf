import SynthAudio
package import Synthesis
package import System

/// A file that is to say when each word of a speech sounds.
package struct TimingsFile: Sendable {
    package let path: String
    package let format: TimingsFormat
    /// Files that it does not replace.
    let inUse: FilesInUse

    /// - Throws: `timingsEndingUnknown`.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) throws(SpeechFailure) {
        guard let format = TimingsFormat(path: path) else { throw .timingsEndingUnknown(path: path) }
        self.path = path
        self.format = format
        self.inUse = inUse
    }
}

/// A format of a file that says when each word of a speech sounds. The raw value is its ending, without the dot.
package enum TimingsFormat: String, CaseIterable, Equatable, Sendable {
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

/// What speaks the text whose times are written.
package struct TimingsOrigin: Equatable, Sendable {
    /// As the configuration calls it: "espeak-ng".
    var engine: String
    /// As people call it, with its version: "eSpeak NG 1.51".
    var engineTitle: String
    /// The id of the voice.
    var voice: String
    /// Whether the engine can tell when words sound.
    var timesWords: Bool
}

extension TimingsOrigin {
    package init(_ engine: SpeechEngine, _ voice: SpeechVoice) {
        self.init(
            engine: engine.id, engineTitle: "\(engine.name) \(engine.version)", voice: voice.id,
            timesWords: engine.timesWords)
    }
}
